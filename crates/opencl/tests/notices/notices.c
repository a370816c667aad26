/* What a program does that shows neither logs nor codes to anybody: the first argument says which. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;

static void need(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        printf("%s: %d\n", what, code);
        exit(1);
    }
}

static void open_device(void)
{
    cl_int code;
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    need(code, "context");
}

/* Asks for devices of each type, and for those that there are not again. */
static void ask_for_types(void)
{
    const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU,
        CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_ALL};
    const char *names[] = {"gpu", "gpu", "cpu", "accelerator", "default", "all"};
    for (int at = 0; at < 6; at++)
        printf("%s %d\n", names[at], clGetDeviceIDs(platform, types[at], 1, &device, NULL));
}

static cl_program program_of(const char *source)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    need(code, "source");
    return program;
}

/* Builds a kernel with more accesses than a circuit has, twice. */
static void build_too_much(void)
{
    static char source[131072] = "kernel void crowded(global volatile uint *table, uint n) {\n";
    for (int at = 0; at < 2100; at++)
        sprintf(source + strlen(source), "table[n * %d] = n;\n", at + 1);
    strcat(source, "}\n");
    open_device();
    for (int turn = 0; turn < 2; turn++) {
        cl_program program = program_of(source);
        printf("build %d\n", clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

/* Launches a kernel of the source over 64 work-items, three times, on a buffer of 64 words. */
static void launch(const char *source, const char *name)
{
    cl_int code;
    cl_uint words[64] = {0};
    open_device();
    cl_program program = program_of(source);
    need(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "build");
    cl_kernel kernel = clCreateKernel(program, name, &code);
    need(code, "kernel");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    need(code, "queue");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &code);
    need(code, "buffer");
    need(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    size_t items = 64;
    for (int turn = 0; turn < 3; turn++)
        need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL), "launch");
    need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL), "read");
    printf("%u %u\n", words[0], words[63]);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "";
    need(clGetPlatformIDs(1, &platform, NULL), "platform");
    if (!strcmp(mode, "types"))
        ask_for_types();
    else if (!strcmp(mode, "too-much"))
        build_too_much();
    else if (!strcmp(mode, "count"))
        launch("kernel void count(global uint *a) { a[get_global_id(0)] += get_global_id(0); }", "count");
    else if (!strcmp(mode, "race"))
        launch("kernel void race(global uint *a) {\n"
               "  a[0] = get_global_id(0);\n"
               "  a[get_global_id(0) + 1] = 1;\n"
               "}", "race");
    else if (!strcmp(mode, "flood"))
        launch("kernel void flood(global uint *a) {\n"
               "  for (int i = 0; i < 6000; i++) printf(\"x\");\n"
               "}", "flood");
    else if (!strcmp(mode, "flood-more"))
        launch("kernel void flood(global uint *a) {\n"
               "  for (int i = 0; i < 16400; i++) printf(\"x\");\n"
               "}", "flood");
    else if (!strcmp(mode, "order"))
        launch("kernel void order(global uint *a) {\n"
               "  size_t i = get_global_id(0); uint n = 0;\n"
               "  for (size_t k = i * 7 % 64; k < 64; k++) n += a[k];\n"
               "  a[0] = i + n * 0;\n"
               "  a[get_global_id(0)] = i + n;\n"
               "}", "order");
    else if (!strcmp(mode, "large"))
        launch("kernel void large(global uint *a) {\n"
               "  size_t i = get_global_id(0); float x = a[i] + 1;\n"
               "  a[i] = sqrt(x) / (x + 3) + exp(x);\n"
               "}", "large");
    else if (!strcmp(mode, "huge"))
        launch("kernel void huge(global uint *a) {\n"
               "  size_t i = get_global_id(0); double x = a[i] + 1;\n"
               "  a[i] = pow(exp(x / 100), 0.3);\n"
               "}", "huge");
    else
        return 2;
    return 0;
}
