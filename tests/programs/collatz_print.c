// Collatz sequences whose steps the kernel prints, in formats of every kind.
// printf in a kernel, clEnqueueTask, and what a kernel has printed is there when clFinish returns.
#include "support.h"

enum { FIRST = 6, COUNTED = 4 };

static const char *SOURCE =
    "__kernel void collatz(uint start, __global uint *lengths, uint index) {\n"
    "    ulong value = start;\n"
    "    uint steps = 0;\n"
    "    printf(\"device: %u:\", start);\n"
    "    while (value != 1) {\n"
    "        value = value % 2 == 0 ? value / 2 : 3 * value + 1;\n"
    "        ++steps;\n"
    "        printf(\" %lu\", value);\n"
    "    }\n"
    "    printf(\"\\n\");\n"
    "    lengths[index] = steps;\n"
    "}\n"
    "__kernel void formats(int a, float b, float4 c, uchar d) {\n"
    "    printf(\"device: %d %5d|%-5d|%05d %+d %x %#X %o %i%%\\n\", a, a, a, a, a, a, a, a, -a);\n"
    "    printf(\"device: %f %.2f %10.3f %e %g\\n\", b, b, b, b, b);\n"
    "    printf(\"device: %v4hlf %.1v4hlf %v4hld\\n\", c, c, convert_int4(c));\n"
    "    printf(\"device: %c%c%c %s %hhu\\n\", d, d + 1, d + 2, \"text\", d);\n"
    "}\n";

int main(void) {
    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, NULL);
    cl_kernel collatz = make_kernel(program, "collatz");
    cl_kernel formats = make_kernel(program, "formats");
    cl_mem lengths = make_buffer(context, CL_MEM_READ_WRITE, COUNTED * sizeof(cl_uint), NULL);

    CHECK(clSetKernelArg(collatz, 1, sizeof lengths, &lengths));
    for (cl_uint i = 0; i < COUNTED; ++i) {
        const cl_uint start = FIRST + i;
        CHECK(clSetKernelArg(collatz, 0, sizeof start, &start));
        CHECK(clSetKernelArg(collatz, 2, sizeof i, &i));
        printf("host: sequence %u\n", i);
        // The device may write to the same stream by another way than through this program's
        // buffer.
        fflush(stdout);
        CHECK(clEnqueueTask(queue, collatz, 0, NULL, NULL));
        CHECK(clFinish(queue));
    }

    const cl_int a = 1234;
    const cl_float b = 2.71875f;
    const cl_float4 c = {{1.5f, -2.25f, 0.0f, 1024.0f}};
    const cl_uchar d = 'x';
    CHECK(clSetKernelArg(formats, 0, sizeof a, &a));
    CHECK(clSetKernelArg(formats, 1, sizeof b, &b));
    CHECK(clSetKernelArg(formats, 2, sizeof c, &c));
    CHECK(clSetKernelArg(formats, 3, sizeof d, &d));
    fflush(stdout);
    const size_t one = 1;
    CHECK(clEnqueueNDRangeKernel(queue, formats, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK(clFinish(queue));

    cl_uint result[COUNTED];
    CHECK(clEnqueueReadBuffer(queue, lengths, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    for (cl_uint i = 0; i < COUNTED; ++i) {
        cl_uint steps = 0;
        for (cl_ulong value = FIRST + i; value != 1; ++steps)
            value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        REQUIRE(result[i] == steps);
    }
    puts("ok");

    CHECK(clReleaseMemObject(lengths));
    CHECK(clReleaseKernel(collatz));
    CHECK(clReleaseKernel(formats));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
