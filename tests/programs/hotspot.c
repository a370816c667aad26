// Heat in a chip: a tile of temperatures with its border in local memory.
// Coefficients come as a struct by value; buffers use the program's own memory
// (CL_MEM_USE_HOST_PTR) and are read by mapping; every launch starts at an offset.
#include "support.h"

enum { N = 24, TILE = 8, LAUNCHES = 4 };

typedef struct {
    cl_float along_x;
    cl_float along_y;
    cl_float to_air;
    cl_float air;
    cl_int width;
    cl_short first;
} Chip;

static const char *SOURCE =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "typedef struct { float along_x, along_y, to_air, air; int width; short first; } Chip;\n"
    "#define SIDE (TILE + 2)\n"
    "__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))\n"
    "void heat(Chip chip, __global const float *power, __global const float *from,\n"
    "          __global float *to) {\n"
    "    __local float tile[SIDE][SIDE];\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;\n"
    "    int at = y * chip.width + x;\n"
    "    tile[ly][lx] = from[at];\n"
    "    if (lx == 1) tile[ly][0] = from[at - 1];\n"
    "    if (lx == TILE) tile[ly][TILE + 1] = from[at + 1];\n"
    "    if (ly == 1) tile[0][lx] = from[at - chip.width];\n"
    "    if (ly == TILE) tile[TILE + 1][lx] = from[at + chip.width];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float here = tile[ly][lx];\n"
    "    float flow = (tile[ly][lx - 1] + tile[ly][lx + 1] - 2.0f * here) * chip.along_x;\n"
    "    flow += (tile[ly - 1][lx] + tile[ly + 1][lx] - 2.0f * here) * chip.along_y;\n"
    "    flow += (chip.air - here) * chip.to_air;\n"
    "    to[at] = here + flow + power[at - chip.first * chip.width - chip.first];\n"
    "}\n";

// The grid has a border that stays as it is; the power map has none but the same row length.
enum { WIDTH = N + 2, CELLS = WIDTH * WIDTH };

static void step_on_the_host(const Chip *chip, const float *power, const float *from, float *to) {
    for (int y = 1; y <= N; ++y)
        for (int x = 1; x <= N; ++x) {
            int at = y * WIDTH + x;
            float here = from[at];
            float flow = (from[at - 1] + from[at + 1] - 2.0f * here) * chip->along_x;
            flow += (from[at - WIDTH] + from[at + WIDTH] - 2.0f * here) * chip->along_y;
            flow += (chip->air - here) * chip->to_air;
            to[at] = here + flow + power[at - WIDTH - 1];
        }
}

int main(void) {
    static float power[CELLS], host[2][CELLS];
    float *grids = (float *)allocate(2 * sizeof host[0]);
    uint32_t seed = 5;
    for (int i = 0; i < CELLS; ++i) {
        power[i] = (float)(next_random(&seed) % 8) / 16.0f;
        host[0][i] = host[1][i] = 40.0f + (float)(next_random(&seed) % 64) / 8.0f;
    }
    memcpy(grids, host, 2 * sizeof host[0]);
    const Chip chip = {0.1f, 0.125f, 0.05f, 20.0f, WIDTH, 1};

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char options[32];
    snprintf(options, sizeof options, "-DTILE=%d", TILE);
    cl_program program = build_source(context, device, SOURCE, options);
    cl_kernel heat = make_kernel(program, "heat");
    size_t required[3];
    CHECK(clGetKernelWorkGroupInfo(heat, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                   required, NULL));
    REQUIRE(required[0] == TILE && required[1] == TILE && required[2] == 1);

    cl_mem power_buffer =
        make_buffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof power, power);
    cl_mem buffers[2];
    for (int i = 0; i < 2; ++i)
        buffers[i] = make_buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof host[0],
                                 grids + i * CELLS);

    const size_t offset[] = {1, 1}, size[] = {N, N}, group[] = {TILE, TILE};
    CHECK(clSetKernelArg(heat, 0, sizeof chip, &chip));
    CHECK(clSetKernelArg(heat, 1, sizeof(cl_mem), &power_buffer));
    for (int i = 0; i < LAUNCHES; ++i) {
        CHECK(clSetKernelArg(heat, 2, sizeof(cl_mem), &buffers[i % 2]));
        CHECK(clSetKernelArg(heat, 3, sizeof(cl_mem), &buffers[(i + 1) % 2]));
        CHECK(clEnqueueNDRangeKernel(queue, heat, 2, offset, size, group, 0, NULL, NULL));
        step_on_the_host(&chip, power, host[i % 2], host[(i + 1) % 2]);
    }

    float *mapped = (float *)clEnqueueMapBuffer(queue, buffers[LAUNCHES % 2], CL_TRUE, CL_MAP_READ,
                                                0, sizeof host[0], 0, NULL, NULL, &code);
    CHECK(code);
    REQUIRE(mapped == grids + LAUNCHES % 2 * CELLS);
    REQUIRE(memcmp(mapped, host[LAUNCHES % 2], sizeof host[0]) == 0);
    print_checksum("hotspot", mapped, sizeof host[0]);
    printf("middle %.4f\n", mapped[CELLS / 2]);
    CHECK(clEnqueueUnmapMemObject(queue, buffers[LAUNCHES % 2], mapped, 0, NULL, NULL));
    CHECK(clFinish(queue));
    puts("ok");

    CHECK(clReleaseMemObject(power_buffer));
    CHECK(clReleaseMemObject(buffers[0]));
    CHECK(clReleaseMemObject(buffers[1]));
    CHECK(clReleaseKernel(heat));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    free(grids);
    return 0;
}
