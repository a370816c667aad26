/* Times what an OpenCL program waits for: building a program file twice, and launching an empty kernel
 * many times. Prints microseconds, one figure per line. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <CL/cl.h>

#define LAUNCHES 2000

static void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, code);
        exit(1);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static double build(cl_context context, const char *source, cl_program *program) {
    cl_int code;
    *program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    double start = now();
    check(clBuildProgram(*program, 0, NULL, "", NULL, NULL), "clBuildProgram");
    return now() - start;
}

static char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (fread(text, 1, size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text;
}

int main(int count, char **paths) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_program program;
    for (int at = 1; at < count; at++) {
        char *source = contents(paths[at]);
        for (int again = 0; again < 2; again++) {
            printf("%f\n", build(context, source, &program));
            check(clReleaseProgram(program), "clReleaseProgram");
        }
        free(source);
    }
    build(context, "kernel void nothing(void) {}", &program);
    cl_kernel kernel = clCreateKernel(program, "nothing", &code);
    check(code, "clCreateKernel");
    size_t one = 1;
    double start = now();
    for (int launch = 0; launch < LAUNCHES; launch++) {
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
        check(clFinish(queue), "clFinish");
    }
    printf("%f\n", (now() - start) / LAUNCHES);
    check(clReleaseKernel(kernel), "clReleaseKernel");
    check(clReleaseProgram(program), "clReleaseProgram");
    check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    check(clReleaseContext(context), "clReleaseContext");
    return 0;
}
