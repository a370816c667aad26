// Solves a system of linear equations in double or single precision by elimination with pivoting:
// the device finds the pivot, swaps and eliminates, the host only launches and substitutes back.
// What OpenCL 3.0 has: queues and buffers with properties, numeric versions, a cloned kernel; fp64
// is used if the device supports it, and the printed result is the same either way.
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#include "support.h"

#include <math.h>

enum { N = 20, COLUMNS = N + 1 };

static const char *SOURCE =
    "#ifdef DOUBLE\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef double real;\n"
    "#else\n"
    "typedef float real;\n"
    "#endif\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "__kernel void find_pivot(__global const real *m, uint columns, uint step,\n"
    "                         __global uint *pivot) {\n"
    "    uint best = step;\n"
    "    for (uint row = step + 1; row < columns - 1; ++row)\n"
    "        if (fabs(m[row * columns + step]) > fabs(m[best * columns + step]))\n"
    "            best = row;\n"
    "    pivot[step] = best;\n"
    "}\n"
    "__kernel void swap_rows(__global real *m, uint columns, uint step,\n"
    "                        __global const uint *pivot) {\n"
    "    uint x = get_global_id(0);\n"
    "    real kept = m[step * columns + x];\n"
    "    m[step * columns + x] = m[pivot[step] * columns + x];\n"
    "    m[pivot[step] * columns + x] = kept;\n"
    "}\n"
    "__kernel void eliminate(__global const real *from, __global real *to, uint columns,\n"
    "                        uint step) {\n"
    "    uint x = get_global_id(0), y = get_global_id(1);\n"
    "    uint at = y * columns + x;\n"
    "    if (y <= step || x < step)\n"
    "        to[at] = from[at];\n"
    "    else\n"
    "        to[at] = from[at] - from[y * columns + step] / from[step * columns + step] *\n"
    "                                from[step * columns + x];\n"
    "}\n";

static int has_doubles(cl_device_id device) {
    cl_device_fp_config config = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL));
    return config != 0;
}

// The device compiles OpenCL C 1.2 and reports this, and its versions.
static void check_versions(cl_platform_id platform, cl_device_id device) {
    cl_version version = 0;
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, NULL));
    REQUIRE(CL_VERSION_MAJOR(version) >= 3);
    size_t bytes = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, NULL, &bytes));
    REQUIRE(bytes > 0 && bytes % sizeof(cl_name_version) == 0);
    cl_name_version *versions = (cl_name_version *)allocate(bytes);
    CHECK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, bytes, versions, NULL));
    int found = 0;
    for (size_t i = 0; i < bytes / sizeof(cl_name_version); ++i)
        found |= strcmp(versions[i].name, "OpenCL C") == 0 &&
                 versions[i].version == CL_MAKE_VERSION(1, 2, 0);
    free(versions);
    REQUIRE(found);
}

static void store(unsigned char *at, double value, size_t size) {
    const float narrow = (float)value;
    memcpy(at, size == sizeof value ? (const void *)&value : (const void *)&narrow, size);
}

static double fetch(const unsigned char *at, size_t size) {
    double value;
    float narrow;
    memcpy(size == sizeof value ? (void *)&value : (void *)&narrow, at, size);
    return size == sizeof value ? value : (double)narrow;
}

int main(void) {
    // The solution is chosen, so that it is known.
    double matrix[N * COLUMNS], x[N];
    uint32_t seed = 73;
    for (int row = 0; row < N; ++row) {
        matrix[row * COLUMNS + N] = 0;
        for (int k = 0; k < N; ++k) {
            matrix[row * COLUMNS + k] = next_float(&seed) + (k == (row + 3) % N ? 8.0 : 0.0);
            matrix[row * COLUMNS + N] += matrix[row * COLUMNS + k] * (k - 7);
        }
    }

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    check_versions(platform, device);
    cl_context context = make_context(platform, device);
    cl_int code;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    CHECK(code);
    const size_t real = has_doubles(device) ? sizeof(double) : sizeof(float);
    cl_program program =
        build_source(context, device, SOURCE,
                     real == sizeof(double) ? "-DDOUBLE -cl-std=CL3.0" : "-cl-std=CL3.0");
    unsigned char *bytes = (unsigned char *)allocate(N * COLUMNS * real);
    for (int i = 0; i < N * COLUMNS; ++i)
        store(bytes + (size_t)i * real, matrix[i], real);
    cl_mem matrices[2];
    for (int i = 0; i < 2; ++i) {
        const cl_mem_properties none[] = {0};
        matrices[i] = clCreateBufferWithProperties(context, none, CL_MEM_READ_WRITE,
                                                   N * COLUMNS * real, NULL, &code);
        CHECK(code);
    }
    cl_mem pivots = make_buffer(context, CL_MEM_READ_WRITE, N * sizeof(cl_uint), NULL);
    CHECK(clEnqueueWriteBuffer(queue, matrices[0], CL_FALSE, 0, N * COLUMNS * real, bytes, 0, NULL,
                               NULL));

    // Two kernels that differ in their arguments, the second one cloned from the first.
    cl_kernel find_pivot = make_kernel(program, "find_pivot");
    cl_kernel swap_rows = make_kernel(program, "swap_rows");
    cl_kernel eliminate[2];
    const cl_uint columns = COLUMNS;
    eliminate[0] = make_kernel(program, "eliminate");
    CHECK(clSetKernelArg(eliminate[0], 0, sizeof(cl_mem), &matrices[0]));
    CHECK(clSetKernelArg(eliminate[0], 1, sizeof(cl_mem), &matrices[1]));
    CHECK(clSetKernelArg(eliminate[0], 2, sizeof columns, &columns));
    eliminate[1] = clCloneKernel(eliminate[0], &code);
    CHECK(code);
    CHECK(clSetKernelArg(eliminate[1], 0, sizeof(cl_mem), &matrices[1]));
    CHECK(clSetKernelArg(eliminate[1], 1, sizeof(cl_mem), &matrices[0]));
    CHECK(clSetKernelArg(find_pivot, 1, sizeof columns, &columns));
    CHECK(clSetKernelArg(find_pivot, 3, sizeof(cl_mem), &pivots));
    CHECK(clSetKernelArg(swap_rows, 1, sizeof columns, &columns));
    CHECK(clSetKernelArg(swap_rows, 3, sizeof(cl_mem), &pivots));
    const size_t one = 1, row[] = {COLUMNS}, all[] = {COLUMNS, N};
    for (cl_uint step = 0; step < N; ++step) {
        CHECK(clSetKernelArg(find_pivot, 0, sizeof(cl_mem), &matrices[step % 2]));
        CHECK(clSetKernelArg(find_pivot, 2, sizeof step, &step));
        CHECK(clSetKernelArg(swap_rows, 0, sizeof(cl_mem), &matrices[step % 2]));
        CHECK(clSetKernelArg(swap_rows, 2, sizeof step, &step));
        CHECK(clSetKernelArg(eliminate[step % 2], 3, sizeof step, &step));
        CHECK(clEnqueueNDRangeKernel(queue, find_pivot, 1, NULL, &one, &one, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, swap_rows, 1, NULL, row, NULL, 0, NULL, NULL));
        CHECK(
            clEnqueueNDRangeKernel(queue, eliminate[step % 2], 2, NULL, all, NULL, 0, NULL, NULL));
    }
    CHECK(clEnqueueReadBuffer(queue, matrices[N % 2], CL_TRUE, 0, N * COLUMNS * real, bytes, 0,
                              NULL, NULL));

    for (int y = N - 1; y >= 0; --y) {
        x[y] = fetch(bytes + (size_t)(y * COLUMNS + N) * real, real);
        for (int k = y + 1; k < N; ++k)
            x[y] -= fetch(bytes + (size_t)(y * COLUMNS + k) * real, real) * x[k];
        x[y] /= fetch(bytes + (size_t)(y * COLUMNS + y) * real, real);
    }
    for (int y = 0; y < N; ++y) {
        REQUIRE(fabs(x[y] - (y - 7)) < (real == sizeof(double) ? 1e-9 : 1e-2));
        printf("%ld%c", lround(x[y]), y == N - 1 ? '\n' : ' ');
    }
    puts("ok");

    free(bytes);
    CHECK(clReleaseMemObject(matrices[0]));
    CHECK(clReleaseMemObject(matrices[1]));
    CHECK(clReleaseMemObject(pivots));
    CHECK(clReleaseKernel(find_pivot));
    CHECK(clReleaseKernel(swap_rows));
    CHECK(clReleaseKernel(eliminate[0]));
    CHECK(clReleaseKernel(eliminate[1]));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
