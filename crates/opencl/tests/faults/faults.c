/* What kernels and hosts do wrong, by name: each prints what became of it. */
#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

static const char *source =
    "kernel void beyond(global int *in, global int *out) {\n"
    "    int i = get_global_id(0);\n"
    "    out[i + 5] = in[i + 1000] + 7;\n"
    "}\n"
    "kernel void beyond_local(global int *in, global int *out) {\n"
    "    local int s[4];\n"
    "    int i = get_local_id(0);\n"
    "    s[i + in[i]] = 9;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (in[0] < 0) out[i] = s[0];\n"
    "}\n"
    "kernel void diverge(global int *in, global int *out) {\n"
    "    if (in[get_global_id(0)] >= 0 && get_local_id(0) == 0) barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (in[0] < 0) out[0] = 1;\n"
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

/* What is the whole process's: a library has to leave it alone. */
struct process {
    struct sigaction actions[NSIG];
    sigset_t mask;
    char folder[4096];
    char locale[256];
    int random;
};

static void look(struct process *process) {
    memset(process, 0, sizeof *process);
    for (int number = 1; number < NSIG; number++) {
        sigaction(number, NULL, &process->actions[number]);
    }
    sigprocmask(SIG_SETMASK, NULL, &process->mask);
    if (getcwd(process->folder, sizeof process->folder) == NULL) {
        process->folder[0] = 0;
    }
    snprintf(process->locale, sizeof process->locale, "%s", setlocale(LC_ALL, NULL));
}

static int is_same(const struct process *before, const struct process *after) {
    for (int number = 1; number < NSIG; number++) {
        if (before->actions[number].sa_handler != after->actions[number].sa_handler) {
            fprintf(stderr, "signal %d has another handler\n", number);
            return 0;
        }
    }
    return memcmp(&before->mask, &after->mask, sizeof before->mask) == 0
           && strcmp(before->folder, after->folder) == 0
           && strcmp(before->locale, after->locale) == 0 && before->random == after->random;
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
    struct process before, after;
    look(&before);
    srand(7);
    rand();
    before.random = rand();
    srand(7);
    rand();
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
        cl_int read = clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof bits, bits, 0, NULL, NULL);
        printf("%s: waited %d, status %d, read %d, finish %d\n", name, waited, status, read,
               clFinish(queue));
        CHECK(clReleaseEvent(event));
    }
    CHECK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof bits, bits, 0, NULL, NULL));
    for (int at = 0; at < 8; at++) {
        printf("%x%s", bits[at], at == 7 ? "\n" : " ");
    }
#if defined(__SSE__)
    printf("mode %s\n", (_mm_getcsr() & ~0x3fu) == mode ? "kept" : "changed");
#endif
    look(&after);
    after.random = rand();
    printf("process %s\n", is_same(&before, &after) ? "kept" : "changed");
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
