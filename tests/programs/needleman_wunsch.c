// Aligns two sequences: a wavefront of launches over the tiles of the score matrix.
// Rectangles are written into a matrix with a border and read out of it, a column too; the kernel
// is read from a file and its tile size is a build option.
#include "support.h"

enum { LENGTH = 96, TILE = 16, TILES = LENGTH / TILE, STRIDE = LENGTH + 1, PENALTY = 10 };

static int largest(int a, int b, int c) {
    int ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static void on_the_host(const cl_int *similar, cl_int *score) {
    for (int y = 0; y <= LENGTH; ++y)
        for (int x = 0; x <= LENGTH; ++x) {
            cl_int *at = score + y * STRIDE + x;
            if (x == 0 || y == 0)
                *at = -(x + y) * PENALTY;
            else
                *at = largest(at[-STRIDE - 1] + similar[(y - 1) * LENGTH + x - 1], at[-1] - PENALTY,
                              at[-STRIDE] - PENALTY);
        }
}

int main(void) {
    static cl_int similar[LENGTH * LENGTH], expected[STRIDE * STRIDE], inside[LENGTH * LENGTH];
    cl_int border[STRIDE], last_column[STRIDE];
    unsigned char first[LENGTH], second[LENGTH];
    uint32_t seed = 19;
    for (int i = 0; i < LENGTH; ++i) {
        first[i] = (unsigned char)(next_random(&seed) % 4);
        second[i] =
            next_random(&seed) % 3 == 0 ? (unsigned char)(next_random(&seed) % 4) : first[i];
    }
    for (int y = 0; y < LENGTH; ++y)
        for (int x = 0; x < LENGTH; ++x)
            similar[y * LENGTH + x] = first[y] == second[x] ? 5 : -(1 + (first[y] + second[x]) % 4);
    for (int i = 0; i <= LENGTH; ++i)
        border[i] = -i * PENALTY;
    on_the_host(similar, expected);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    char *source = read_beside(__FILE__, "needleman_wunsch.cl");
    cl_program program = build_source(context, device, source, options);
    free(source);
    cl_kernel tiles = make_kernel(program, "tiles");
    cl_ulong local_bytes = 0;
    CHECK(clGetKernelWorkGroupInfo(tiles, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                                   &local_bytes, NULL));
    REQUIRE(local_bytes >= ((TILE + 1) * (TILE + 1) + TILE * TILE) * sizeof(cl_int));

    cl_mem score = make_buffer(context, CL_MEM_READ_WRITE, sizeof expected, NULL);
    cl_mem matches = make_buffer(context, CL_MEM_READ_ONLY, sizeof expected, NULL);
    const size_t word = sizeof(cl_int), pitch = STRIDE * word;
    const size_t at_zero[] = {0, 0, 0}, at_one[] = {word, 1, 0};
    const size_t column[] = {word, STRIDE, 1}, square[] = {LENGTH * word, LENGTH, 1};
    CHECK(clEnqueueWriteBuffer(queue, score, CL_FALSE, 0, sizeof border, border, 0, NULL, NULL));
    CHECK(clEnqueueWriteBufferRect(queue, score, CL_FALSE, at_zero, at_zero, column, pitch, 0, word,
                                   0, border, 0, NULL, NULL));
    CHECK(clEnqueueWriteBufferRect(queue, matches, CL_FALSE, at_one, at_zero, square, pitch, 0,
                                   LENGTH * word, 0, similar, 0, NULL, NULL));

    const cl_int stride = STRIDE, penalty = PENALTY;
    CHECK(clSetKernelArg(tiles, 0, sizeof(cl_mem), &score));
    CHECK(clSetKernelArg(tiles, 1, sizeof(cl_mem), &matches));
    CHECK(clSetKernelArg(tiles, 2, sizeof stride, &stride));
    CHECK(clSetKernelArg(tiles, 3, sizeof penalty, &penalty));
    for (cl_int diagonal = 0; diagonal < 2 * TILES - 1; ++diagonal) {
        const cl_int first_tile = diagonal < TILES ? 0 : diagonal - TILES + 1;
        const cl_int last_tile = diagonal < TILES ? diagonal : TILES - 1;
        const size_t group = TILE, size = (size_t)(last_tile - first_tile + 1) * TILE;
        CHECK(clSetKernelArg(tiles, 4, sizeof diagonal, &diagonal));
        CHECK(clSetKernelArg(tiles, 5, sizeof first_tile, &first_tile));
        CHECK(clEnqueueNDRangeKernel(queue, tiles, 1, NULL, &size, &group, 0, NULL, NULL));
    }
    const size_t last[] = {LENGTH * word, 0, 0};
    CHECK(clEnqueueReadBufferRect(queue, score, CL_FALSE, last, at_zero, column, pitch, 0, word, 0,
                                  last_column, 0, NULL, NULL));
    CHECK(clEnqueueReadBufferRect(queue, score, CL_TRUE, at_one, at_zero, square, pitch, 0,
                                  LENGTH * word, 0, inside, 0, NULL, NULL));

    for (int y = 0; y < LENGTH; ++y) {
        REQUIRE(memcmp(inside + y * LENGTH, expected + (y + 1) * STRIDE + 1, LENGTH * word) == 0);
        REQUIRE(last_column[y] == expected[y * STRIDE + LENGTH]);
    }
    printf("score %d\n", last_column[LENGTH]);
    print_checksum("needleman_wunsch", inside, sizeof inside);
    puts("ok");

    CHECK(clReleaseMemObject(score));
    CHECK(clReleaseMemObject(matches));
    CHECK(clReleaseKernel(tiles));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
