// The correlation matrix of a data set: means, deviations, normalised data and products, four
// kernels in a row.
// A profiling queue; every launch waits for the events of the one before; one kernel works in
// place.
#include "support.h"

#include <math.h>

enum { SAMPLES = 40, VARIABLES = 18 };

static const char *SOURCE[] = {
    "#pragma OPENCL FP_CONTRACT OFF\n",
    "__kernel void means(__global const float *data, __global float *mean) {\n"
    "    int j = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < SAMPLES; ++i)\n"
    "        sum += data[i * VARIABLES + j];\n"
    "    mean[j] = sum / (float)SAMPLES;\n"
    "}\n",
    "__kernel void deviations(__global const float *data, __global const float *mean,\n"
    "                         __global float *deviation) {\n"
    "    int j = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < SAMPLES; ++i) {\n"
    "        float d = data[i * VARIABLES + j] - mean[j];\n"
    "        sum += d * d;\n"
    "    }\n"
    "    float root = sqrt(sum / (float)SAMPLES);\n"
    "    deviation[j] = root <= 0.005f ? 1.0f : root;\n"
    "}\n",
    "__kernel void normalise(__global float *data, __global const float *mean,\n"
    "                        __global const float *deviation) {\n"
    "    int j = get_global_id(0), i = get_global_id(1);\n"
    "    __global float *at = data + i * VARIABLES + j;\n"
    "    *at = (*at - mean[j]) / (sqrt((float)SAMPLES) * deviation[j]);\n"
    "}\n",
    "__kernel void correlate(__global const float *data, __global float *result) {\n"
    "    int a = get_global_id(0);\n"
    "    result[a * VARIABLES + a] = 1.0f;\n"
    "    for (int b = a + 1; b < VARIABLES; ++b) {\n"
    "        float sum = 0.0f;\n"
    "        for (int i = 0; i < SAMPLES; ++i)\n"
    "            sum += data[i * VARIABLES + a] * data[i * VARIABLES + b];\n"
    "        result[a * VARIABLES + b] = sum;\n"
    "        result[b * VARIABLES + a] = sum;\n"
    "    }\n"
    "}\n",
};

static void on_the_host(const float *data, double *result) {
    double mean[VARIABLES], deviation[VARIABLES];
    for (int j = 0; j < VARIABLES; ++j) {
        mean[j] = deviation[j] = 0;
        for (int i = 0; i < SAMPLES; ++i)
            mean[j] += data[i * VARIABLES + j] / SAMPLES;
        for (int i = 0; i < SAMPLES; ++i)
            deviation[j] += pow(data[i * VARIABLES + j] - mean[j], 2) / SAMPLES;
        deviation[j] = deviation[j] <= 0.005 * 0.005 ? 1 : sqrt(deviation[j]);
    }
    for (int a = 0; a < VARIABLES; ++a)
        for (int b = 0; b < VARIABLES; ++b) {
            double sum = 0;
            for (int i = 0; i < SAMPLES; ++i)
                sum += (data[i * VARIABLES + a] - mean[a]) * (data[i * VARIABLES + b] - mean[b]);
            result[a * VARIABLES + b] = a == b ? 1 : sum / (SAMPLES * deviation[a] * deviation[b]);
        }
}

// The four times of a command are in their order, and it began after the one before had ended.
static void check_times(cl_event before, cl_event event) {
    const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_ulong times[4], end;
    for (int i = 0; i < 4; ++i)
        CHECK(clGetEventProfilingInfo(event, names[i], sizeof times[i], &times[i], NULL));
    REQUIRE(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    if (before != NULL) {
        CHECK(clGetEventProfilingInfo(before, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
        REQUIRE(end <= times[2]);
    }
}

int main(void) {
    static float data[SAMPLES * VARIABLES], result[VARIABLES * VARIABLES];
    static double expected[VARIABLES * VARIABLES];
    uint32_t seed = 11;
    for (int i = 0; i < SAMPLES; ++i)
        for (int j = 0; j < VARIABLES; ++j)
            data[i * VARIABLES + j] =
                j == 5 ? 3.0f : next_float(&seed) + (float)(i * (j % 3)) / 8.0f;
    on_the_host(data, expected);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK(code);
    cl_program program = clCreateProgramWithSource(context, COUNT(SOURCE), SOURCE, NULL, &code);
    CHECK(code);
    char options[64];
    snprintf(options, sizeof options, "-DSAMPLES=%d -DVARIABLES=%d", SAMPLES, VARIABLES);
    code = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    if (code != CL_SUCCESS)
        print_build_log(program, device);
    CHECK(code);
    cl_kernel means = make_kernel(program, "means");
    cl_kernel deviations = make_kernel(program, "deviations");
    cl_kernel normalise = make_kernel(program, "normalise");
    cl_kernel correlate = make_kernel(program, "correlate");

    cl_mem data_buffer = make_buffer(context, CL_MEM_READ_WRITE, sizeof data, NULL);
    cl_mem mean = make_buffer(context, CL_MEM_READ_WRITE, VARIABLES * sizeof(float), NULL);
    cl_mem deviation = make_buffer(context, CL_MEM_READ_WRITE, VARIABLES * sizeof(float), NULL);
    cl_mem result_buffer = make_buffer(context, CL_MEM_WRITE_ONLY, sizeof result, NULL);
    CHECK(clSetKernelArg(means, 0, sizeof(cl_mem), &data_buffer));
    CHECK(clSetKernelArg(means, 1, sizeof(cl_mem), &mean));
    CHECK(clSetKernelArg(deviations, 0, sizeof(cl_mem), &data_buffer));
    CHECK(clSetKernelArg(deviations, 1, sizeof(cl_mem), &mean));
    CHECK(clSetKernelArg(deviations, 2, sizeof(cl_mem), &deviation));
    CHECK(clSetKernelArg(normalise, 0, sizeof(cl_mem), &data_buffer));
    CHECK(clSetKernelArg(normalise, 1, sizeof(cl_mem), &mean));
    CHECK(clSetKernelArg(normalise, 2, sizeof(cl_mem), &deviation));
    CHECK(clSetKernelArg(correlate, 0, sizeof(cl_mem), &data_buffer));
    CHECK(clSetKernelArg(correlate, 1, sizeof(cl_mem), &result_buffer));

    const size_t columns = VARIABLES, all[] = {VARIABLES, SAMPLES}, group[] = {6, 5};
    cl_event events[6];
    CHECK(clEnqueueWriteBuffer(queue, data_buffer, CL_FALSE, 0, sizeof data, data, 0, NULL,
                               &events[0]));
    CHECK(clEnqueueNDRangeKernel(queue, means, 1, NULL, &columns, NULL, 1, &events[0], &events[1]));
    CHECK(
        clEnqueueNDRangeKernel(queue, deviations, 1, NULL, &columns, NULL, 2, events, &events[2]));
    CHECK(clEnqueueNDRangeKernel(queue, normalise, 2, NULL, all, group, 3, events, &events[3]));
    CHECK(clEnqueueNDRangeKernel(queue, correlate, 1, NULL, &columns, NULL, 1, &events[3],
                                 &events[4]));
    CHECK(clEnqueueReadBuffer(queue, result_buffer, CL_TRUE, 0, sizeof result, result, 1,
                              &events[4], &events[5]));

    for (int i = 0; i < 6; ++i)
        check_times(i == 0 ? NULL : events[i - 1], events[i]);
    for (size_t i = 0; i < COUNT(result); ++i)
        REQUIRE(fabs(result[i] - expected[i]) < 1e-4);
    for (int j = 0; j < VARIABLES; ++j)
        printf("%.3f%c", result[VARIABLES + j], j == VARIABLES - 1 ? '\n' : ' ');
    puts("ok");

    for (int i = 0; i < 6; ++i)
        CHECK(clReleaseEvent(events[i]));
    cl_mem buffers[] = {data_buffer, mean, deviation, result_buffer};
    for (size_t i = 0; i < COUNT(buffers); ++i)
        CHECK(clReleaseMemObject(buffers[i]));
    cl_kernel kernels[] = {means, deviations, normalise, correlate};
    for (size_t i = 0; i < COUNT(kernels); ++i)
        CHECK(clReleaseKernel(kernels[i]));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
