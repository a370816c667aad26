// D = alpha * A * B * C + beta * D: three kernels of one program, one after the other.
// Kernels come from clCreateKernelsInProgram, sizes from -D, the result from a read that does not
// block.
#include "support.h"

enum { NI = 20, NJ = 24, NK = 28, NL = 16 };

static const char *SOURCE =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void scale(__global float *d, float beta) {\n"
    "    size_t j = get_global_id(0), i = get_global_id(1);\n"
    "    d[i * NL + j] *= beta;\n"
    "}\n"
    "__kernel void first_product(__global const float *a, __global const float *b,\n"
    "                            __global float *product, float alpha) {\n"
    "    int j = get_global_id(0), i = get_global_id(1);\n"
    "    float sum = 0.0f;\n"
    "    for (int k = 0; k < NK; ++k)\n"
    "        sum += alpha * a[i * NK + k] * b[k * NJ + j];\n"
    "    product[i * NJ + j] = sum;\n"
    "}\n"
    "__kernel void second_product(__global const float *product, __global const float *c,\n"
    "                             __global float *d) {\n"
    "    int j = get_global_id(0), i = get_global_id(1);\n"
    "    float sum = d[i * NL + j];\n"
    "    for (int k = 0; k < NJ; ++k)\n"
    "        sum += product[i * NJ + k] * c[k * NL + j];\n"
    "    d[i * NL + j] = sum;\n"
    "}\n";

static void on_the_host(const float *a, const float *b, const float *c, float *d, float alpha,
                        float beta) {
    float product[NI * NJ];
    for (int i = 0; i < NI; ++i)
        for (int j = 0; j < NJ; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < NK; ++k)
                sum += alpha * a[i * NK + k] * b[k * NJ + j];
            product[i * NJ + j] = sum;
        }
    for (int i = 0; i < NI; ++i)
        for (int j = 0; j < NL; ++j) {
            float sum = d[i * NL + j] * beta;
            for (int k = 0; k < NJ; ++k)
                sum += product[i * NJ + k] * c[k * NL + j];
            d[i * NL + j] = sum;
        }
}

static cl_kernel kernel_called(const char *name, const cl_kernel *kernels, cl_uint count) {
    for (cl_uint i = 0; i < count; ++i) {
        char found[64];
        CHECK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof found, found, NULL));
        if (strcmp(found, name) == 0)
            return kernels[i];
    }
    fprintf(stderr, "the program has no kernel %s\n", name);
    exit(1);
}

int main(void) {
    static float a[NI * NK], b[NK * NJ], c[NJ * NL], d[NI * NL], expected[NI * NL];
    uint32_t seed = 1;
    for (size_t i = 0; i < COUNT(a); ++i)
        a[i] = next_float(&seed);
    for (size_t i = 0; i < COUNT(b); ++i)
        b[i] = next_float(&seed);
    for (size_t i = 0; i < COUNT(c); ++i)
        c[i] = next_float(&seed);
    for (size_t i = 0; i < COUNT(d); ++i)
        d[i] = expected[i] = next_float(&seed);
    float alpha = 1.5f, beta = 1.2f;

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char options[128];
    snprintf(options, sizeof options, "-DNI=%d -DNJ=%d -D NK=%d -D NL=%d", NI, NJ, NK, NL);
    cl_program program = build_source(context, device, SOURCE, options);

    cl_uint count = 0;
    CHECK(clCreateKernelsInProgram(program, 0, NULL, &count));
    REQUIRE(count == 3);
    cl_kernel kernels[3];
    CHECK(clCreateKernelsInProgram(program, 3, kernels, NULL));
    cl_kernel scale = kernel_called("scale", kernels, count);
    cl_kernel first = kernel_called("first_product", kernels, count);
    cl_kernel second = kernel_called("second_product", kernels, count);

    cl_mem_flags input = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem buffer_a = make_buffer(context, input, sizeof a, a);
    cl_mem buffer_b = make_buffer(context, input, sizeof b, b);
    cl_mem buffer_c = make_buffer(context, input, sizeof c, c);
    cl_mem buffer_d = make_buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof d, d);
    cl_mem product = make_buffer(context, CL_MEM_READ_WRITE, NI * NJ * sizeof(float), NULL);

    CHECK(clSetKernelArg(scale, 0, sizeof buffer_d, &buffer_d));
    CHECK(clSetKernelArg(scale, 1, sizeof beta, &beta));
    CHECK(clSetKernelArg(first, 0, sizeof buffer_a, &buffer_a));
    CHECK(clSetKernelArg(first, 1, sizeof buffer_b, &buffer_b));
    CHECK(clSetKernelArg(first, 2, sizeof product, &product));
    CHECK(clSetKernelArg(first, 3, sizeof alpha, &alpha));
    CHECK(clSetKernelArg(second, 0, sizeof product, &product));
    CHECK(clSetKernelArg(second, 1, sizeof buffer_c, &buffer_c));
    CHECK(clSetKernelArg(second, 2, sizeof buffer_d, &buffer_d));

    const size_t size_d[] = {NL, NI}, size_product[] = {NJ, NI}, group[] = {8, 4};
    CHECK(clEnqueueNDRangeKernel(queue, scale, 2, NULL, size_d, NULL, 0, NULL, NULL));
    CHECK(clEnqueueNDRangeKernel(queue, first, 2, NULL, size_product, group, 0, NULL, NULL));
    CHECK(clEnqueueNDRangeKernel(queue, second, 2, NULL, size_d, group, 0, NULL, NULL));
    cl_event done;
    CHECK(clEnqueueReadBuffer(queue, buffer_d, CL_FALSE, 0, sizeof d, d, 0, NULL, &done));
    CHECK(clFlush(queue));
    on_the_host(a, b, c, expected, alpha, beta);
    CHECK(clWaitForEvents(1, &done));

    for (size_t i = 0; i < COUNT(d); ++i)
        REQUIRE(d[i] == expected[i]);
    printf("corners %g %g %g %g\n", d[0], d[NL - 1], d[(NI - 1) * NL], d[NI * NL - 1]);
    print_checksum("matrix_chain", d, sizeof d);
    puts("ok");

    CHECK(clReleaseEvent(done));
    cl_mem buffers[] = {buffer_a, buffer_b, buffer_c, buffer_d, product};
    for (size_t i = 0; i < COUNT(buffers); ++i)
        CHECK(clReleaseMemObject(buffers[i]));
    for (size_t i = 0; i < COUNT(kernels); ++i)
        CHECK(clReleaseKernel(kernels[i]));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
