// Pi by throwing darts at integer coordinates: several host threads share a context and a program,
// each with a queue and kernels of its own.
// The same calls from several threads at once; retained objects that another thread releases.
#include "support.h"

#include <threads.h>

enum { THREADS = 4, ITEMS = 96, DARTS = 24, ROUNDS = 3 };

static const char *SOURCE =
    "uint next(uint *state) {\n"
    "    *state = *state * 1664525u + 1013904223u;\n"
    "    return *state >> 16;\n"
    "}\n"
    "__kernel void throw_darts(uint seed, uint darts, __global ulong *hits) {\n"
    "    uint state = seed + (uint)get_global_id(0) * 2654435761u;\n"
    "    uint count = 0;\n"
    "    for (uint i = 0; i < darts; ++i) {\n"
    "        ulong x = next(&state), y = next(&state);\n"
    "        count += x * x + y * y < (1ul << 32);\n"
    "    }\n"
    "    hits[get_global_id(0)] += count;\n"
    "}\n";

typedef struct {
    cl_context context;
    cl_device_id device;
    cl_program program;
    cl_uint number;
    cl_ulong hits;
} Work;

static cl_uint seed_of(cl_uint number, cl_uint round) {
    return number * 7919 + round * 104729 + 61;
}

static int run(void *data) {
    Work *work = (Work *)data;
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(work->context, work->device, 0, &code);
    CHECK(code);
    cl_kernel kernel = make_kernel(work->program, "throw_darts");
    cl_ulong hits[ITEMS] = {0};
    cl_mem buffer =
        make_buffer(work->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof hits, hits);
    const cl_uint darts = DARTS;
    const size_t size = ITEMS;
    CHECK(clSetKernelArg(kernel, 1, sizeof darts, &darts));
    CHECK(clSetKernelArg(kernel, 2, sizeof buffer, &buffer));
    for (cl_uint round = 0; round < ROUNDS; ++round) {
        const cl_uint seed = seed_of(work->number, round);
        CHECK(clSetKernelArg(kernel, 0, sizeof seed, &seed));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    }
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof hits, hits, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; ++i)
        work->hits += hits[i];
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseProgram(work->program));
    CHECK(clReleaseContext(work->context));
    return 0;
}

static cl_ulong on_the_host(cl_uint number) {
    cl_ulong hits = 0;
    for (cl_uint round = 0; round < ROUNDS; ++round)
        for (cl_uint item = 0; item < ITEMS; ++item) {
            cl_uint state = seed_of(number, round) + item * 2654435761u;
            for (cl_uint i = 0; i < DARTS; ++i) {
                state = state * 1664525u + 1013904223u;
                const cl_ulong x = state >> 16;
                state = state * 1664525u + 1013904223u;
                const cl_ulong y = state >> 16;
                hits += x * x + y * y < ((cl_ulong)1 << 32);
            }
        }
    return hits;
}

int main(void) {
    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_program program = build_source(context, device, SOURCE, NULL);
    thrd_t threads[THREADS];
    static Work works[THREADS];
    for (cl_uint i = 0; i < THREADS; ++i) {
        CHECK(clRetainContext(context));
        CHECK(clRetainProgram(program));
        works[i] = (Work){.context = context, .device = device, .program = program, .number = i};
        REQUIRE(thrd_create(&threads[i], run, &works[i]) == thrd_success);
    }
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseContext(context));

    cl_ulong hits = 0;
    for (cl_uint i = 0; i < THREADS; ++i) {
        REQUIRE(thrd_join(threads[i], NULL) == thrd_success);
        REQUIRE(works[i].hits == on_the_host(i));
        printf("thread %u: %llu\n", i, (unsigned long long)works[i].hits);
        hits += works[i].hits;
    }
    printf("pi is near %.3f\n", 4.0 * (double)hits / (THREADS * ROUNDS * ITEMS * DARTS));
    puts("ok");
    return 0;
}
