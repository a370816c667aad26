// Adds two vectors on the first OpenCL device: the smallest complete host program.
//
//     cc -std=c11 vector_add.c -o vector_add -lOpenCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4096 };

static const char *SOURCE =
    "__kernel void add(__global const float *a, __global const float *b, __global float *sum) {\n"
    "    size_t i = get_global_id(0);\n"
    "    sum[i] = a[i] + b[i];\n"
    "}\n";

static void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with code %d\n", what, code);
        exit(1);
    }
}

// The first platform, or the one whose name contains what OPENCL_PLATFORM says.
static cl_platform_id choose_platform(void) {
    const char *wanted = getenv("OPENCL_PLATFORM");
    cl_platform_id platforms[16];
    cl_uint count;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        char name[256];
        check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL),
              "clGetPlatformInfo");
        if (wanted == NULL || strstr(name, wanted) != NULL)
            return platforms[i];
    }
    fprintf(stderr, "no platform is called %s\n", wanted);
    exit(1);
}

int main(void) {
    static float a[COUNT], b[COUNT], sum[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)i;
    }

    cl_int code;
    cl_device_id device;
    check(clGetDeviceIDs(choose_platform(), CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    char name[256];
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");

    cl_program program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &code);
    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(program, 1, &device, NULL, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    check(code, "clBuildProgram");
    cl_kernel add = clCreateKernel(program, "add", &code);
    check(code, "clCreateKernel");

    const cl_mem_flags input = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem buffer_a = clCreateBuffer(context, input, sizeof a, a, &code);
    check(code, "clCreateBuffer");
    cl_mem buffer_b = clCreateBuffer(context, input, sizeof b, b, &code);
    check(code, "clCreateBuffer");
    cl_mem buffer_sum = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof sum, NULL, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(add, 0, sizeof buffer_a, &buffer_a), "clSetKernelArg");
    check(clSetKernelArg(add, 1, sizeof buffer_b, &buffer_b), "clSetKernelArg");
    check(clSetKernelArg(add, 2, sizeof buffer_sum, &buffer_sum), "clSetKernelArg");

    const size_t size = COUNT;
    cl_event ran;
    check(clEnqueueNDRangeKernel(queue, add, 1, NULL, &size, NULL, 0, NULL, &ran),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer_sum, CL_TRUE, 0, sizeof sum, sum, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    cl_ulong start, end;
    check(clGetEventProfilingInfo(ran, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(ran, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
          "clGetEventProfilingInfo");

    int wrong = 0;
    for (int i = 0; i < COUNT; ++i)
        wrong += sum[i] != a[i] + b[i];
    printf("%d sums on %s in %.1f us, %d of them wrong\n", COUNT, name, (double)(end - start) / 1e3,
           wrong);

    clReleaseEvent(ran);
    clReleaseMemObject(buffer_a);
    clReleaseMemObject(buffer_b);
    clReleaseMemObject(buffer_sum);
    clReleaseKernel(add);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong == 0 ? 0 : 1;
}
