// LU decomposition by blocks: three kernels per block of the diagonal, whose ranges shrink.
// Two queues, one for kernels and one for transfers, that wait for each other's events; rows of the
// result are read as soon as they are done, while the rest is still being computed.
#include "support.h"

#include <math.h>

enum { N = 32, BLOCK = 8, BLOCKS = N / BLOCK };

int main(void) {
    static float matrix[N * N], result[N * N];
    uint32_t seed = 47;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            matrix[y * N + x] = next_float(&seed) + (x == y ? 24.0f : 0.0f);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue kernels = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_command_queue transfers = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char options[32];
    snprintf(options, sizeof options, "-DBLOCK=%d", BLOCK);
    char *source = read_beside(__FILE__, "lu_decomposition.cl");
    cl_program program = build_source(context, device, source, options);
    free(source);
    cl_kernel diagonal = make_kernel(program, "diagonal");
    cl_kernel perimeter = make_kernel(program, "perimeter");
    cl_kernel others = make_kernel(program, "others");

    cl_mem buffer = make_buffer(context, CL_MEM_READ_WRITE, sizeof matrix, NULL);
    const cl_int stride = N;
    cl_kernel all[] = {diagonal, perimeter, others};
    for (int i = 0; i < 3; ++i) {
        CHECK(clSetKernelArg(all[i], 0, sizeof buffer, &buffer));
        CHECK(clSetKernelArg(all[i], 1, sizeof stride, &stride));
    }
    cl_event written;
    CHECK(clEnqueueWriteBuffer(transfers, buffer, CL_FALSE, 0, sizeof matrix, matrix, 0, NULL,
                               &written));
    CHECK(clFlush(transfers));
    CHECK(clEnqueueBarrierWithWaitList(kernels, 1, &written, NULL));
    CHECK(clReleaseEvent(written));

    for (int step = 0; step < BLOCKS; ++step) {
        const cl_int offset = step * BLOCK;
        const size_t rest = (size_t)(BLOCKS - 1 - step), group = BLOCK;
        for (int i = 0; i < 3; ++i)
            CHECK(clSetKernelArg(all[i], 2, sizeof offset, &offset));
        // The rows of this step are final once its perimeter is.
        cl_event final;
        CHECK(clEnqueueNDRangeKernel(kernels, diagonal, 1, NULL, &group, &group, 0, NULL,
                                     rest == 0 ? &final : NULL));
        if (rest > 0) {
            const size_t ring = 2 * rest * BLOCK, square[] = {rest * BLOCK, rest * BLOCK};
            const size_t block[] = {BLOCK, BLOCK};
            CHECK(clEnqueueNDRangeKernel(kernels, perimeter, 1, NULL, &ring, &group, 0, NULL,
                                         &final));
            CHECK(clEnqueueNDRangeKernel(kernels, others, 2, NULL, square, block, 0, NULL, NULL));
        }
        CHECK(clFlush(kernels));
        const size_t bytes = BLOCK * N * sizeof(float);
        CHECK(clEnqueueReadBuffer(transfers, buffer, CL_FALSE, (size_t)step * bytes, bytes,
                                  result + step * BLOCK * N, 1, &final, NULL));
        CHECK(clReleaseEvent(final));
    }
    CHECK(clFinish(transfers));
    CHECK(clFinish(kernels));

    double worst = 0;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x) {
            double sum = 0;
            for (int k = 0; k <= (x < y ? x : y); ++k)
                sum += (k == y ? 1.0 : (double)result[y * N + k]) * result[k * N + x];
            worst = fmax(worst, fabs(sum - matrix[y * N + x]));
        }
    REQUIRE(worst < 1e-4);
    for (int i = 0; i < N; i += 5)
        printf("%.3f ", result[i * N + i]);
    printf("\nok\n");

    CHECK(clReleaseMemObject(buffer));
    for (int i = 0; i < 3; ++i)
        CHECK(clReleaseKernel(all[i]));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(transfers));
    CHECK(clReleaseCommandQueue(kernels));
    CHECK(clReleaseContext(context));
    return 0;
}
