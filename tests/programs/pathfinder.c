// The cheapest path through a grid from the top row to the bottom one, several rows per launch with
// a border that is computed twice. Local memory comes as arguments, rows of the grid are written
// piece by piece without blocking, and the size of the groups is what the kernel may have at most.
#include "support.h"

enum { COLUMNS = 300, ROWS = 33, PER_LAUNCH = 4, LARGEST = 64 };

static const char *SOURCE =
    "__kernel void rows(int iterations, __global const int *wall, __global const int *from,\n"
    "                   __global int *to, int columns, int first_row, __local int *previous,\n"
    "                   __local int *current) {\n"
    "    int lane = get_local_id(0), lanes = get_local_size(0);\n"
    "    int inner = lanes - 2 * iterations;\n"
    "    int column = (int)get_group_id(0) * inner - iterations + lane;\n"
    "    int inside = column >= 0 && column < columns;\n"
    "    previous[lane] = inside ? from[column] : INT_MAX;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < iterations; ++i) {\n"
    "        int left = previous[max(lane - 1, 0)], right = previous[min(lane + 1, lanes - 1)];\n"
    "        int best = min(min(left, right), previous[lane]);\n"
    "        current[lane] = inside ? best + wall[(first_row + i) * columns + column] : INT_MAX;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        previous[lane] = current[lane];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (inside && lane >= iterations && lane < lanes - iterations)\n"
    "        to[column] = previous[lane];\n"
    "}\n";

static void on_the_host(const cl_int *wall, cl_int *result) {
    cl_int previous[COLUMNS];
    memcpy(result, wall, sizeof previous);
    for (int row = 1; row < ROWS; ++row) {
        memcpy(previous, result, sizeof previous);
        for (int x = 0; x < COLUMNS; ++x) {
            cl_int best = previous[x];
            if (x > 0 && previous[x - 1] < best)
                best = previous[x - 1];
            if (x < COLUMNS - 1 && previous[x + 1] < best)
                best = previous[x + 1];
            result[x] = best + wall[row * COLUMNS + x];
        }
    }
}

int main(void) {
    static cl_int wall[ROWS * COLUMNS], result[COLUMNS], expected[COLUMNS];
    uint32_t seed = 17;
    for (size_t i = 0; i < COUNT(wall); ++i)
        wall[i] = (cl_int)(next_random(&seed) % 10);
    on_the_host(wall, expected);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_DEFAULT);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, NULL);
    cl_kernel kernel = make_kernel(program, "rows");
    size_t group = 0;
    CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group,
                                   NULL));
    group = group > LARGEST ? LARGEST : group;
    REQUIRE(group > 2 * PER_LAUNCH);

    cl_mem wall_buffer = make_buffer(context, CL_MEM_READ_ONLY, sizeof wall, NULL);
    cl_mem results[2];
    for (int i = 0; i < 2; ++i)
        results[i] = make_buffer(context, CL_MEM_READ_WRITE, sizeof result, NULL);
    const size_t row_bytes = COLUMNS * sizeof(cl_int);
    for (size_t row = 0; row < ROWS; ++row)
        CHECK(clEnqueueWriteBuffer(queue, wall_buffer, CL_FALSE, row * row_bytes, row_bytes,
                                   wall + row * COLUMNS, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(queue, wall_buffer, results[0], 0, 0, row_bytes, 0, NULL, NULL));

    const cl_int columns = COLUMNS;
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &wall_buffer));
    CHECK(clSetKernelArg(kernel, 4, sizeof columns, &columns));
    CHECK(clSetKernelArg(kernel, 6, group * sizeof(cl_int), NULL));
    CHECK(clSetKernelArg(kernel, 7, group * sizeof(cl_int), NULL));
    int from = 0;
    for (cl_int row = 1; row < ROWS; row += PER_LAUNCH, from = !from) {
        const cl_int iterations = ROWS - row < PER_LAUNCH ? ROWS - row : PER_LAUNCH;
        const size_t inner = group - 2 * (size_t)iterations;
        const size_t size = (COLUMNS + inner - 1) / inner * group;
        CHECK(clSetKernelArg(kernel, 0, sizeof iterations, &iterations));
        CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &results[from]));
        CHECK(clSetKernelArg(kernel, 3, sizeof(cl_mem), &results[!from]));
        CHECK(clSetKernelArg(kernel, 5, sizeof row, &row));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL));
    }
    CHECK(clEnqueueReadBuffer(queue, results[from], CL_FALSE, 0, row_bytes, result, 0, NULL, NULL));
    CHECK(clFinish(queue));

    cl_int best = result[0];
    for (int x = 0; x < COLUMNS; ++x) {
        REQUIRE(result[x] == expected[x]);
        best = result[x] < best ? result[x] : best;
    }
    printf("the cheapest way costs %d\n", best);
    print_checksum("pathfinder", result, sizeof result);
    puts("ok");

    CHECK(clReleaseMemObject(wall_buffer));
    CHECK(clReleaseMemObject(results[0]));
    CHECK(clReleaseMemObject(results[1]));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
