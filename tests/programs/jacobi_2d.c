// Jacobi iterations on a square, from one buffer to the other and back.
// Buffers are filled and looked at through mapped pointers, one of them only in part; arguments are
// swapped between launches; the runtime chooses the size of the groups.
#include "support.h"

enum { N = 26, STEPS = 20 };

static const char *SOURCE =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void relax(__global const float *from, __global float *to, const uint n) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1);\n"
    "    size_t at = y * n + x;\n"
    "    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)\n"
    "        to[at] = from[at];\n"
    "    else\n"
    "        to[at] = 0.2f * (from[at] + from[at - 1] + from[at + 1] + from[at - n] +\n"
    "                         from[at + n]);\n"
    "}\n";

static void relax_on_the_host(const float *from, float *to) {
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x) {
            int at = y * N + x;
            if (x == 0 || y == 0 || x == N - 1 || y == N - 1)
                to[at] = from[at];
            else
                to[at] =
                    0.2f * (from[at] + from[at - 1] + from[at + 1] + from[at - N] + from[at + N]);
        }
}

int main(void) {
    static float host[2][N * N];
    uint32_t seed = 3;
    for (int i = 0; i < N * N; ++i)
        host[0][i] = next_float(&seed);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_DEFAULT);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, "");
    cl_kernel relax = make_kernel(program, "relax");

    const size_t bytes = sizeof host[0];
    cl_mem grids[2];
    for (int i = 0; i < 2; ++i)
        grids[i] = make_buffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL);
    float *mapped = (float *)clEnqueueMapBuffer(
        queue, grids[0], CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, bytes, 0, NULL, NULL, &code);
    CHECK(code);
    memcpy(mapped, host[0], bytes);
    CHECK(clEnqueueUnmapMemObject(queue, grids[0], mapped, 0, NULL, NULL));

    const cl_uint n = N;
    const size_t size[] = {N, N};
    CHECK(clSetKernelArg(relax, 2, sizeof n, &n));
    for (int i = 0; i < STEPS; ++i) {
        CHECK(clSetKernelArg(relax, 0, sizeof(cl_mem), &grids[i % 2]));
        CHECK(clSetKernelArg(relax, 1, sizeof(cl_mem), &grids[(i + 1) % 2]));
        CHECK(clEnqueueNDRangeKernel(queue, relax, 2, NULL, size, NULL, 0, NULL, NULL));
        relax_on_the_host(host[i % 2], host[(i + 1) % 2]);
    }

    // Without blocking, the pointer is known at once and its contents when the event has ended.
    cl_event mapping;
    const float *result = host[STEPS % 2];
    const size_t row = N * sizeof(float);
    mapped = (float *)clEnqueueMapBuffer(queue, grids[STEPS % 2], CL_FALSE, CL_MAP_READ, row,
                                         bytes - 2 * row, 0, NULL, &mapping, &code);
    CHECK(code);
    CHECK(clWaitForEvents(1, &mapping));
    REQUIRE(memcmp(mapped, result + N, bytes - 2 * row) == 0);
    print_checksum("interior rows", mapped, bytes - 2 * row);
    printf("middle %.6f\n", mapped[(N / 2 - 1) * N + N / 2]);
    cl_event unmapping;
    CHECK(clEnqueueUnmapMemObject(queue, grids[STEPS % 2], mapped, 1, &mapping, &unmapping));
    CHECK(clWaitForEvents(1, &unmapping));
    puts("ok");

    CHECK(clReleaseEvent(mapping));
    CHECK(clReleaseEvent(unmapping));
    CHECK(clReleaseMemObject(grids[0]));
    CHECK(clReleaseMemObject(grids[1]));
    CHECK(clReleaseKernel(relax));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
