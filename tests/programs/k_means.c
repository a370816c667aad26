// k-means: the device assigns points to centres and adds them up, the host moves the centres, until
// no point changes its cluster.
// A write-only buffer that the next kernel reads, __constant arguments, fills, two kernels that
// share buffers, reads of single words.
#include "support.h"

#include <math.h>

enum { POINTS = 384, CLUSTERS = 5, ROUNDS = 12 };

static void make_points(cl_float4 *points) {
    uint32_t seed = 13;
    for (int i = 0; i < POINTS; ++i)
        for (int k = 0; k < 4; ++k)
            points[i].s[k] = next_float(&seed) + (float)((i % CLUSTERS * (k + 2)) % 7);
}

static int round_on_the_host(const cl_float4 *points, const cl_float4 *centres, int *nearest,
                             int *sums) {
    int moved = 0;
    memset(sums, 0, CLUSTERS * 5 * sizeof(int));
    for (int i = 0; i < POINTS; ++i) {
        int best = 0;
        float best_distance = INFINITY;
        for (int c = 0; c < CLUSTERS; ++c) {
            float distance = 0;
            for (int k = 0; k < 4; ++k) {
                float d = points[i].s[k] - centres[c].s[k];
                distance += d * d;
            }
            if (distance < best_distance) {
                best_distance = distance;
                best = c;
            }
        }
        moved += nearest[i] != best;
        nearest[i] = best;
        for (int k = 0; k < 4; ++k)
            sums[best * 5 + k] += (int)(points[i].s[k] * 64.0f);
        ++sums[best * 5 + 4];
    }
    return moved;
}

int main(void) {
    static cl_float4 points[POINTS], centres[CLUSTERS];
    static cl_int nearest[POINTS], expected_nearest[POINTS];
    cl_int sums[CLUSTERS * 5], expected_sums[CLUSTERS * 5];
    make_points(points);
    memcpy(centres, points, sizeof centres);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char *source = read_beside(__FILE__, "k_means.cl");
    cl_program program = build_source(context, device, source, "-Werror");
    free(source);
    cl_kernel assign = make_kernel(program, "assign");
    cl_kernel gather = make_kernel(program, "gather");

    cl_mem point_buffer =
        make_buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof points, points);
    cl_mem centre_buffer = make_buffer(context, CL_MEM_READ_ONLY, sizeof centres, NULL);
    cl_mem nearest_buffer = make_buffer(context, CL_MEM_WRITE_ONLY, sizeof nearest, NULL);
    cl_mem sum_buffer = make_buffer(context, CL_MEM_READ_WRITE, sizeof sums, NULL);
    cl_mem moved_buffer = make_buffer(context, CL_MEM_READ_WRITE, sizeof(cl_int), NULL);
    const cl_int unassigned = -1, zero = 0, clusters = CLUSTERS;
    const cl_float scale = 64.0f;
    CHECK(clSetKernelArg(assign, 0, sizeof(cl_mem), &point_buffer));
    CHECK(clSetKernelArg(assign, 1, sizeof(cl_mem), &centre_buffer));
    CHECK(clSetKernelArg(assign, 2, sizeof clusters, &clusters));
    CHECK(clSetKernelArg(assign, 3, sizeof(cl_mem), &nearest_buffer));
    CHECK(clSetKernelArg(assign, 4, sizeof(cl_mem), &moved_buffer));
    CHECK(clSetKernelArg(gather, 0, sizeof(cl_mem), &point_buffer));
    CHECK(clSetKernelArg(gather, 1, sizeof(cl_mem), &nearest_buffer));
    CHECK(clSetKernelArg(gather, 2, sizeof(cl_mem), &sum_buffer));
    CHECK(clSetKernelArg(gather, 3, sizeof scale, &scale));
    CHECK(clEnqueueFillBuffer(queue, nearest_buffer, &unassigned, sizeof unassigned, 0, sizeof nearest, 0,
                              NULL, NULL));
    memset(expected_nearest, -1, sizeof expected_nearest);

    const size_t size = POINTS, group = 32;
    cl_int moved = 1;
    int rounds = 0;
    for (; moved != 0 && rounds < ROUNDS; ++rounds) {
        CHECK(clEnqueueFillBuffer(queue, moved_buffer, &zero, sizeof zero, 0, sizeof moved, 0, NULL,
                                  NULL));
        CHECK(clEnqueueFillBuffer(queue, sum_buffer, &zero, 1, 0, sizeof sums, 0, NULL, NULL));
        CHECK(clEnqueueWriteBuffer(queue, centre_buffer, CL_FALSE, 0, sizeof centres, centres, 0,
                                   NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, assign, 1, NULL, &size, &group, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, gather, 1, NULL, &size, &group, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, moved_buffer, CL_FALSE, 0, sizeof moved, &moved, 0, NULL,
                                  NULL));
        CHECK(clEnqueueReadBuffer(queue, sum_buffer, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
        REQUIRE(round_on_the_host(points, centres, expected_nearest, expected_sums) == moved);
        REQUIRE(memcmp(sums, expected_sums, sizeof sums) == 0);
        printf("round %d: %d moved\n", rounds, moved);
        for (int c = 0; c < CLUSTERS; ++c)
            for (int k = 0; k < 4 && sums[c * 5 + 4] != 0; ++k)
                centres[c].s[k] = (float)sums[c * 5 + k] / scale / (float)sums[c * 5 + 4];
    }
    CHECK(clEnqueueReadBuffer(queue, nearest_buffer, CL_TRUE, 0, sizeof nearest, nearest, 0, NULL,
                              NULL));
    REQUIRE(memcmp(nearest, expected_nearest, sizeof nearest) == 0);
    for (int c = 0; c < CLUSTERS; ++c)
        printf("%d points around %.3f %.3f %.3f %.3f\n", sums[c * 5 + 4], centres[c].s[0],
               centres[c].s[1], centres[c].s[2], centres[c].s[3]);
    puts("ok");

    cl_mem buffers[] = {point_buffer, centre_buffer, nearest_buffer, sum_buffer, moved_buffer};
    for (size_t i = 0; i < COUNT(buffers); ++i)
        CHECK(clReleaseMemObject(buffers[i]));
    CHECK(clReleaseKernel(assign));
    CHECK(clReleaseKernel(gather));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
