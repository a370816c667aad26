// Sorts keys with their payloads by a bitonic network, one launch per stage.
// A profiling queue whose times are added up; buffers are migrated to the device first; a kernel
// with unsigned long and signed arguments of several widths.
#include "support.h"

enum { COUNTED = 512 };

static const char *SOURCE =
    "__kernel void exchange(__global uint2 *pairs, uchar stage, uchar pass, char direction,\n"
    "                       ulong count) {\n"
    "    size_t i = get_global_id(0);\n"
    "    size_t distance = (size_t)1 << (stage - pass);\n"
    "    size_t left = (i / distance) * 2 * distance + i % distance, right = left + distance;\n"
    "    if (right >= count)\n"
    "        return;\n"
    "    uint2 a = pairs[left], b = pairs[right];\n"
    "    bool rising = ((i >> stage) & 1) == 0;\n"
    "    if (direction < 0)\n"
    "        rising = !rising;\n"
    "    if ((a.x > b.x) == rising) {\n"
    "        pairs[left] = b;\n"
    "        pairs[right] = a;\n"
    "    }\n"
    "}\n";

// Keys are different from each other, so that there is one right order.
static void make_pairs(cl_uint2 *pairs) {
    uint32_t seed = 37;
    for (cl_uint i = 0; i < COUNTED; ++i) {
        pairs[i].s[0] = i * 8388608u + next_random(&seed) % 8388608u;
        pairs[i].s[1] = i;
    }
    for (cl_uint i = COUNTED - 1; i > 0; --i) {
        const cl_uint j = next_random(&seed) % (i + 1);
        const cl_uint2 kept = pairs[i];
        pairs[i] = pairs[j];
        pairs[j] = kept;
    }
}

static int by_key(const void *a, const void *b) {
    const cl_uint left = ((const cl_uint2 *)a)->s[0], right = ((const cl_uint2 *)b)->s[0];
    return (left > right) - (left < right);
}

int main(void) {
    static cl_uint2 pairs[COUNTED], result[COUNTED];
    make_pairs(pairs);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_DEFAULT);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, "-cl-std=CL1.2");
    cl_kernel exchange = make_kernel(program, "exchange");
    cl_uint arguments = 0;
    CHECK(clGetKernelInfo(exchange, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
    REQUIRE(arguments == 5);

    cl_mem buffer =
        make_buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof pairs, pairs);
    cl_event migrated;
    CHECK(clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, NULL, &migrated));
    const cl_char direction = -1;
    const cl_ulong count = COUNTED;
    const size_t size = COUNTED / 2;
    cl_ulong busy = 0;
    int launches = 0;
    CHECK(clSetKernelArg(exchange, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(exchange, 3, sizeof direction, &direction));
    CHECK(clSetKernelArg(exchange, 4, sizeof count, &count));
    for (cl_uchar stage = 0; (1u << stage) < COUNTED; ++stage)
        for (cl_uchar pass = 0; pass <= stage; ++pass, ++launches) {
            cl_event event;
            cl_ulong start, end;
            CHECK(clSetKernelArg(exchange, 1, sizeof stage, &stage));
            CHECK(clSetKernelArg(exchange, 2, sizeof pass, &pass));
            CHECK(clEnqueueNDRangeKernel(queue, exchange, 1, NULL, &size, NULL, 1, &migrated,
                                         &event));
            CHECK(clWaitForEvents(1, &event));
            CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                          NULL));
            CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
            REQUIRE(start < end);
            busy += end - start;
            CHECK(clReleaseEvent(event));
        }
    REQUIRE(busy > 0);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));

    qsort(pairs, COUNTED, sizeof pairs[0], by_key);
    for (int i = 0; i < COUNTED; ++i) {
        REQUIRE(result[i].s[0] == pairs[COUNTED - 1 - i].s[0]);
        REQUIRE(result[i].s[1] == pairs[COUNTED - 1 - i].s[1]);
    }
    printf("%d launches, largest key %u of %u\n", launches, result[0].s[0], result[0].s[1]);
    print_checksum("bitonic_sort", result, sizeof result);
    puts("ok");

    CHECK(clReleaseEvent(migrated));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(exchange));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
