/* What kernels and hosts do wrong, by name: each prints what became of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

static const char *source =
    "kernel void beyond(global int *in, global int *out) {\n"
    "    int i = get_global_id(0);\n"
    "    out[i + 5] = in[i + 1000] + 7;\n"
    "}\n"
    "kernel void endless(global int *in, global volatile int *out) {\n"
    "    while (out[0] == in[0]) out[1] = in[1];\n"
    "}\n"
    "kernel void halve(global float *in, global float *out) {\n"
    "    int i = get_global_id(0);\n"
    "    out[i] = in[i] * 0.5f;\n"
    "}\n";

static void CL_CALLBACK notify(const char *text, const void *info, size_t size, void *data) {
    (void)info;
    (void)size;
    (void)data;
    /* The text is for people; that it comes is what counts. */
    printf("notified: %s\n", strlen(text) > 10 ? "yes" : "no");
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cl_int code_ = (call);                                                                     \
        if (code_ != CL_SUCCESS) {                                                                 \
            fprintf(stderr, "%d: %s: %d\n", __LINE__, #call, code_);                               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

int main(int count, char **names) {
    if (count != 2) {
        return 2;
    }
    const char *name = names[1];
    int flushes = strcmp(name, "halve") == 0;
#if defined(__SSE__)
    if (flushes) {
        /* Flush to zero and denormals are zero, as -ffast-math has it. */
        _mm_setcsr(_mm_getcsr() | 0x8040);
    }
    /* Without the flags of what has been computed. */
    unsigned mode = _mm_getcsr() & ~0x3fu;
#endif
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, notify, NULL, &code);
    CHECK(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK(code);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, name, &code);
    CHECK(code);
    unsigned bits[8] = {1, 2, 3, 4, 5, 0x400001, 7, 8};
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof bits, bits, &code);
    CHECK(code);
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof bits, bits, &code);
    CHECK(code);
    CHECK(clSetKernelArg(kernel, 0, sizeof in, &in));
    CHECK(clSetKernelArg(kernel, 1, sizeof out, &out));
    size_t size = 8;
    for (int launch = 0; launch < 2; launch++) {
        cl_event event;
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
        cl_int waited = clWaitForEvents(1, &event);
        cl_int status;
        CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                             NULL));
        printf("%s: waited %d, status %d, finish %d\n", name, waited, status, clFinish(queue));
        CHECK(clReleaseEvent(event));
    }
    CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof bits, bits, 0, NULL, NULL));
    for (int at = 0; at < 8; at++) {
        printf("%x%s", bits[at], at == 7 ? "\n" : " ");
    }
#if defined(__SSE__)
    printf("mode %s\n", (_mm_getcsr() & ~0x3fu) == mode ? "kept" : "changed");
#endif
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
