// A radix-2 Fourier transform (Stockham) of several signals, one launch per stage, and back again.
// The program is built, its binary is saved and loaded into a second context, and the kernels of
// the loaded one compute.
#include "support.h"

#include <math.h>

enum { POINTS = 64, SIGNALS = 4, TOTAL = POINTS * SIGNALS };

static const char *SOURCE =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void stage(__global const float2 *from, __global float2 *to,\n"
    "                    __constant float2 *twiddles, int length, float direction) {\n"
    "    int i = get_global_id(0), signal = get_global_id(1);\n"
    "    int half_points = get_global_size(0);\n"
    "    from += signal * 2 * half_points;\n"
    "    to += signal * 2 * half_points;\n"
    "    int k = i & (length - 1);\n"
    "    float2 w = twiddles[k * (half_points / length)];\n"
    "    w.y *= direction;\n"
    "    float2 a = from[i], b = from[i + half_points];\n"
    "    float2 turned = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);\n"
    "    int at = (i - k) * 2 + k;\n"
    "    to[at] = a + turned;\n"
    "    to[at + length] = a - turned;\n"
    "}\n"
    "__kernel void scale(__global float2 *data, float2 factor) {\n"
    "    data[get_global_id(0)] *= factor;\n"
    "}\n";

static unsigned char *save(cl_context context, cl_device_id device, size_t *bytes) {
    cl_program program = build_source(context, device, SOURCE, NULL);
    cl_uint devices = 0;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL));
    REQUIRE(devices == 1);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL));
    REQUIRE(*bytes > 0);
    unsigned char *binary = (unsigned char *)allocate(*bytes);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    CHECK(clReleaseProgram(program));
    return binary;
}

static cl_program load(cl_context context, cl_device_id device, const unsigned char *binary,
                       size_t bytes) {
    cl_int status, code;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, &status, &code);
    CHECK(code);
    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    return program;
}

// Through all stages; gives the number of the buffer with the result.
static int transform(cl_command_queue queue, cl_kernel stage, const cl_mem *buffers,
                     cl_float direction) {
    const size_t size[] = {POINTS / 2, SIGNALS}, group[] = {16, 1};
    int from = 0;
    for (cl_int length = 1; length < POINTS; length *= 2, from = !from) {
        CHECK(clSetKernelArg(stage, 0, sizeof(cl_mem), &buffers[from]));
        CHECK(clSetKernelArg(stage, 1, sizeof(cl_mem), &buffers[!from]));
        CHECK(clSetKernelArg(stage, 3, sizeof length, &length));
        CHECK(clSetKernelArg(stage, 4, sizeof direction, &direction));
        CHECK(clEnqueueNDRangeKernel(queue, stage, 2, NULL, size, group, 0, NULL, NULL));
    }
    return from;
}

static double error_of(const cl_float2 *signal, const cl_float2 *spectrum) {
    double worst = 0;
    for (int k = 0; k < POINTS; ++k) {
        double re = 0, im = 0;
        for (int i = 0; i < POINTS; ++i) {
            const double angle = -2 * 3.14159265358979323846 * k * i / POINTS;
            re += signal[i].s[0] * cos(angle) - signal[i].s[1] * sin(angle);
            im += signal[i].s[0] * sin(angle) + signal[i].s[1] * cos(angle);
        }
        worst = fmax(worst, fmax(fabs(re - spectrum[k].s[0]), fabs(im - spectrum[k].s[1])));
    }
    return worst;
}

int main(void) {
    static cl_float2 signals[TOTAL], spectra[TOTAL], back[TOTAL], twiddles[POINTS / 2];
    uint32_t seed = 43;
    for (int i = 0; i < TOTAL; ++i) {
        signals[i].s[0] = next_float(&seed);
        signals[i].s[1] = next_float(&seed);
    }
    for (int i = 0; i < POINTS / 2; ++i) {
        const double angle = -2 * 3.14159265358979323846 * i / POINTS;
        twiddles[i].s[0] = (float)cos(angle);
        twiddles[i].s[1] = (float)sin(angle);
    }

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context first = make_context(platform, device);
    size_t bytes;
    unsigned char *binary = save(first, device, &bytes);
    CHECK(clReleaseContext(first));

    cl_context context = make_context(platform, device);
    cl_program program = load(context, device, binary, bytes);
    free(binary);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_kernel stage = make_kernel(program, "stage");
    cl_kernel scale = make_kernel(program, "scale");
    cl_mem twiddle_buffer =
        make_buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof twiddles, twiddles);
    cl_mem buffers[2];
    for (int i = 0; i < 2; ++i)
        buffers[i] = make_buffer(context, CL_MEM_READ_WRITE, sizeof signals, NULL);
    CHECK(clSetKernelArg(stage, 2, sizeof(cl_mem), &twiddle_buffer));

    CHECK(clEnqueueWriteBuffer(queue, buffers[0], CL_FALSE, 0, sizeof signals, signals, 0, NULL,
                               NULL));
    int at = transform(queue, stage, buffers, 1.0f);
    CHECK(clEnqueueReadBuffer(queue, buffers[at], CL_TRUE, 0, sizeof spectra, spectra, 0, NULL,
                              NULL));
    cl_mem swapped[] = {buffers[at], buffers[!at]};
    at = transform(queue, stage, swapped, -1.0f);
    const cl_float2 factor = {{1.0f / POINTS, 1.0f / POINTS}};
    const size_t all = TOTAL;
    CHECK(clSetKernelArg(scale, 0, sizeof(cl_mem), &swapped[at]));
    CHECK(clSetKernelArg(scale, 1, sizeof factor, &factor));
    CHECK(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &all, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, swapped[at], CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));

    for (int s = 0; s < SIGNALS; ++s)
        REQUIRE(error_of(signals + s * POINTS, spectra + s * POINTS) < 1e-3);
    for (int i = 0; i < TOTAL; ++i)
        for (int k = 0; k < 2; ++k)
            REQUIRE(fabsf(back[i].s[k] - signals[i].s[k]) < 1e-4f);
    for (int s = 0; s < SIGNALS; ++s)
        printf("signal %d: %.3f%+.3fi %.3f%+.3fi\n", s, spectra[s * POINTS].s[0],
               spectra[s * POINTS].s[1], spectra[s * POINTS + 9].s[0],
               spectra[s * POINTS + 9].s[1]);
    puts("ok");

    CHECK(clReleaseMemObject(twiddle_buffer));
    CHECK(clReleaseMemObject(buffers[0]));
    CHECK(clReleaseMemObject(buffers[1]));
    CHECK(clReleaseKernel(stage));
    CHECK(clReleaseKernel(scale));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
