// Solves A x = b for a sparse matrix in compressed rows by conjugate gradients: the device
// multiplies, updates vectors and adds up in groups, the host adds the groups' sums and decides.
// Local memory as an argument, the same kernel object with changing arguments, vectors that are
// parts of one buffer (clCreateSubBuffer), an element-wise kernel whose two arguments are the same.
#include "support.h"

#include <math.h>

enum { N = 256, GROUP = 32, GROUPS = N / GROUP, ROUNDS = 14, SIDE = 16 };

static const char *SOURCE =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void multiply(__global const int *start, __global const int *column,\n"
    "                       __global const float *value, __global const float *x,\n"
    "                       __global float *y) {\n"
    "    int row = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    for (int k = start[row]; k < start[row + 1]; ++k)\n"
    "        sum += value[k] * x[column[k]];\n"
    "    y[row] = sum;\n"
    "}\n"
    "__kernel void dot_groups(__global const float *a, __global const float *b,\n"
    "                         __local float *partial, __global float *sums) {\n"
    "    int lane = get_local_id(0);\n"
    "    partial[lane] = a[get_global_id(0)] * b[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int half_way = get_local_size(0) / 2; half_way > 0; half_way /= 2) {\n"
    "        if (lane < half_way)\n"
    "            partial[lane] += partial[lane + half_way];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (lane == 0)\n"
    "        sums[get_group_id(0)] = partial[0];\n"
    "}\n"
    "// to = a + factor * b; to may be one of them.\n"
    "__kernel void combine(__global float *to, __global const float *a, __global const float *b,\n"
    "                      float factor) {\n"
    "    int i = get_global_id(0);\n"
    "    float scaled = factor * b[i];\n"
    "    to[i] = a[i] + scaled;\n"
    "}\n";

static cl_command_queue queue;
static cl_kernel multiply, dot_groups, combine;
static cl_mem group_sums;
static const size_t size = N, group = GROUP;

// A grid's Laplacian, plus a diagonal that makes it well conditioned.
static int make_matrix(cl_int *start, cl_int *column, float *value) {
    int used = 0;
    for (int row = 0; row < N; ++row) {
        const int x = row % SIDE, y = row / SIDE;
        const int neighbours[] = {y > 0 ? row - SIDE : -1, x > 0 ? row - 1 : -1, row,
                                  x < SIDE - 1 ? row + 1 : -1, y < SIDE - 1 ? row + SIDE : -1};
        start[row] = used;
        for (int k = 0; k < 5; ++k)
            if (neighbours[k] >= 0) {
                column[used] = neighbours[k];
                value[used++] = neighbours[k] == row ? 4.5f : -1.0f;
            }
    }
    start[N] = used;
    return used;
}

static float dot(cl_mem a, cl_mem b) {
    float sums[GROUPS], sum = 0.0f;
    CHECK(clSetKernelArg(dot_groups, 0, sizeof a, &a));
    CHECK(clSetKernelArg(dot_groups, 1, sizeof b, &b));
    CHECK(clSetKernelArg(dot_groups, 2, GROUP * sizeof(float), NULL));
    CHECK(clSetKernelArg(dot_groups, 3, sizeof group_sums, &group_sums));
    CHECK(clEnqueueNDRangeKernel(queue, dot_groups, 1, NULL, &size, &group, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, group_sums, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
    for (int i = 0; i < GROUPS; ++i)
        sum += sums[i];
    return sum;
}

static void add(cl_mem to, cl_mem a, cl_mem b, float factor) {
    CHECK(clSetKernelArg(combine, 0, sizeof to, &to));
    CHECK(clSetKernelArg(combine, 1, sizeof a, &a));
    CHECK(clSetKernelArg(combine, 2, sizeof b, &b));
    CHECK(clSetKernelArg(combine, 3, sizeof factor, &factor));
    CHECK(clEnqueueNDRangeKernel(queue, combine, 1, NULL, &size, NULL, 0, NULL, NULL));
}

int main(void) {
    static cl_int start[N + 1], column[5 * N];
    static float value[5 * N], b[N], x[N];
    const int used = make_matrix(start, column, value);
    uint32_t seed = 23;
    for (int i = 0; i < N; ++i)
        b[i] = next_float(&seed);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, NULL);
    multiply = make_kernel(program, "multiply");
    dot_groups = make_kernel(program, "dot_groups");
    combine = make_kernel(program, "combine");

    const cl_mem_flags input = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem start_buffer = make_buffer(context, input, sizeof start, start);
    cl_mem column_buffer = make_buffer(context, input, (size_t)used * sizeof(cl_int), column);
    cl_mem value_buffer = make_buffer(context, input, (size_t)used * sizeof(float), value);
    group_sums = make_buffer(context, CL_MEM_READ_WRITE, GROUPS * sizeof(float), NULL);

    cl_uint align_bits = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align_bits, &align_bits,
                          NULL));
    const size_t align = align_bits / 8, part = (sizeof x + align - 1) / align * align;
    cl_mem all = make_buffer(context, CL_MEM_READ_WRITE, 4 * part, NULL);
    cl_mem parts[4];
    for (size_t i = 0; i < 4; ++i) {
        const cl_buffer_region region = {i * part, sizeof x};
        parts[i] = clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        CHECK(code);
    }
    cl_mem solution = parts[0], residual = parts[1], direction = parts[2], image = parts[3];
    const float zero = 0.0f;
    CHECK(clEnqueueFillBuffer(queue, all, &zero, sizeof zero, 0, sizeof x, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, all, CL_TRUE, part, sizeof b, b, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(queue, residual, direction, 0, 0, sizeof b, 0, NULL, NULL));
    cl_mem multiply_args[] = {start_buffer, column_buffer, value_buffer, direction, image};
    for (cl_uint i = 0; i < COUNT(multiply_args); ++i)
        CHECK(clSetKernelArg(multiply, i, sizeof(cl_mem), &multiply_args[i]));

    float square = dot(residual, residual);
    for (int i = 0; i < ROUNDS; ++i) {
        printf("round %d: %.5e\n", i, square);
        CHECK(clEnqueueNDRangeKernel(queue, multiply, 1, NULL, &size, &group, 0, NULL, NULL));
        const float step = square / dot(direction, image);
        add(solution, solution, direction, step);
        add(residual, residual, image, -step);
        const float next = dot(residual, residual);
        add(direction, residual, direction, next / square);
        square = next;
    }
    CHECK(clEnqueueReadBuffer(queue, solution, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL));

    double worst = 0.0;
    for (int row = 0; row < N; ++row) {
        double left = b[row];
        for (int k = start[row]; k < start[row + 1]; ++k)
            left -= (double)value[k] * x[column[k]];
        worst = fabs(left) > worst ? fabs(left) : worst;
    }
    REQUIRE(worst < 0.01);
    print_checksum("conjugate_gradient", x, sizeof x);
    puts("ok");

    for (int i = 0; i < 4; ++i)
        CHECK(clReleaseMemObject(parts[i]));
    cl_mem buffers[] = {all, start_buffer, column_buffer, value_buffer, group_sums};
    for (size_t i = 0; i < COUNT(buffers); ++i)
        CHECK(clReleaseMemObject(buffers[i]));
    CHECK(clReleaseKernel(multiply));
    CHECK(clReleaseKernel(dot_groups));
    CHECK(clReleaseKernel(combine));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
