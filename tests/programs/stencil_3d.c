// A seven-point stencil in a box, from one buffer to the other and back.
// Three-dimensional ranges with an offset; boxes are written, copied and read as rectangles with
// row and slice pitches of their own on each side.
#include "support.h"

enum { X = 20, Y = 12, Z = 10, STEPS = 3, CELLS = X * Y * Z };
// The initial box lies somewhere in the grid; what is read is a part of the grid, into a larger
// array of the host.
enum { BOX = 6, HOST_X = 16, HOST_Y = 10, HOST_Z = 5 };

static const char *SOURCE =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void stencil(float centre, float side, __global const float *from,\n"
    "                      __global float *to) {\n"
    "    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    size_t row = get_global_size(0) + 2 * get_global_offset(0);\n"
    "    size_t slice = row * (get_global_size(1) + 2 * get_global_offset(1));\n"
    "    __global const float *at = from + z * slice + y * row + x;\n"
    "    float sum = at[1] + at[-1] + at[row] + at[-(long)row] + at[slice] + at[-(long)slice];\n"
    "    to[z * slice + y * row + x] = side * sum - centre * at[0];\n"
    "}\n";

static void step_on_the_host(float centre, float side, const float *from, float *to) {
    for (int z = 1; z < Z - 1; ++z)
        for (int y = 1; y < Y - 1; ++y)
            for (int x = 1; x < X - 1; ++x) {
                const float *at = from + (z * Y + y) * X + x;
                float sum = at[1] + at[-1] + at[X] + at[-X] + at[X * Y] + at[-X * Y];
                to[(z * Y + y) * X + x] = side * sum - centre * at[0];
            }
}

int main(void) {
    static float box[BOX * BOX * BOX], host[2][CELLS], part[HOST_X * HOST_Y * HOST_Z];
    uint32_t seed = 53;
    for (size_t i = 0; i < COUNT(box); ++i)
        box[i] = next_float(&seed);
    for (int z = 0; z < BOX; ++z)
        for (int y = 0; y < BOX; ++y)
            memcpy(&host[0][((z + 2) * Y + y + 3) * X + 7], box + (z * BOX + y) * BOX,
                   BOX * sizeof(float));

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_DEFAULT);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, NULL);
    cl_kernel stencil = make_kernel(program, "stencil");
    cl_mem grids[3];
    for (int i = 0; i < 3; ++i) {
        const cl_float zero = 0.0f;
        grids[i] = make_buffer(context, CL_MEM_READ_WRITE, sizeof host[0], NULL);
        CHECK(clEnqueueFillBuffer(queue, grids[i], &zero, sizeof zero, 0, sizeof host[0], 0, NULL,
                                  NULL));
    }

    const size_t word = sizeof(float), row = X * word, slice = X * Y * word;
    const size_t nowhere[] = {0, 0, 0}, box_at[] = {7 * word, 3, 2},
                 box_size[] = {BOX * word, BOX, BOX};
    CHECK(clEnqueueWriteBufferRect(queue, grids[0], CL_FALSE, box_at, nowhere, box_size, row, slice,
                                   BOX * word, BOX * BOX * word, box, 0, NULL, NULL));
    const float centre = 0.5f, side = 0.25f;
    const size_t offset[] = {1, 1, 1}, size[] = {X - 2, Y - 2, Z - 2}, group[] = {6, 5, 2};
    CHECK(clSetKernelArg(stencil, 0, sizeof centre, &centre));
    CHECK(clSetKernelArg(stencil, 1, sizeof side, &side));
    for (int i = 0; i < STEPS; ++i) {
        CHECK(clSetKernelArg(stencil, 2, sizeof(cl_mem), &grids[i % 2]));
        CHECK(clSetKernelArg(stencil, 3, sizeof(cl_mem), &grids[(i + 1) % 2]));
        CHECK(clEnqueueNDRangeKernel(queue, stencil, 3, offset, size, i == 0 ? NULL : group, 0,
                                     NULL, NULL));
        step_on_the_host(centre, side, host[i % 2], host[(i + 1) % 2]);
    }

    // Cells 3.. of 14 in x, 2.. of 8 in y and 4.. of 4 in z: first to cell (1, 1, 1) of another
    // grid, then from there to cell (1, 1, 0) of the host's array.
    const size_t part_at[] = {3 * word, 2, 4}, copy_at[] = {word, 1, 1}, host_at[] = {word, 1, 0};
    const size_t part_size[] = {14 * word, 8, 4};
    CHECK(clEnqueueCopyBufferRect(queue, grids[STEPS % 2], grids[2], part_at, copy_at, part_size,
                                  row, slice, row, slice, 0, NULL, NULL));
    CHECK(clEnqueueReadBufferRect(queue, grids[2], CL_TRUE, copy_at, host_at, part_size, row, slice,
                                  HOST_X * word, HOST_X * HOST_Y * word, part, 0, NULL, NULL));

    for (int z = 0; z < HOST_Z; ++z)
        for (int y = 0; y < HOST_Y; ++y)
            for (int x = 0; x < HOST_X; ++x) {
                const int inside = z < 4 && y >= 1 && y < 9 && x >= 1 && x < 15;
                const float expected =
                    inside ? host[STEPS % 2][((z + 4) * Y + y + 1) * X + x + 2] : 0.0f;
                REQUIRE(part[(z * HOST_Y + y) * HOST_X + x] == expected);
            }
    print_checksum("stencil_3d", part, sizeof part);
    puts("ok");

    for (int i = 0; i < 3; ++i)
        CHECK(clReleaseMemObject(grids[i]));
    CHECK(clReleaseKernel(stencil));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
