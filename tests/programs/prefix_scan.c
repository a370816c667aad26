// Prefix sums over three levels: groups scan their elements, their sums are scanned in turn, and
// are then added from the top down. An out-of-order queue: only events order the commands.
// Two arrays are scanned side by side, so that independent commands really are in the queue
// together.
#include "support.h"

enum { GROUP = 16, BLOCK = 2 * GROUP, COUNTED = 5000, LEVELS = 3, ARRAYS = 2 };

static const char *SOURCE =
    "__kernel void scan_blocks(__global int *data, __global int *sums, uint count,\n"
    "                          __local int *block) {\n"
    "    uint lane = get_local_id(0), lanes = get_local_size(0);\n"
    "    uint base = get_group_id(0) * 2 * lanes;\n"
    "    uint a = base + lane, b = base + lane + lanes;\n"
    "    block[lane] = a < count ? data[a] : 0;\n"
    "    block[lane + lanes] = b < count ? data[b] : 0;\n"
    "    uint stride = 1;\n"
    "    for (uint active = lanes; active > 0; active >>= 1, stride <<= 1) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (lane < active)\n"
    "            block[stride * (2 * lane + 2) - 1] += block[stride * (2 * lane + 1) - 1];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (lane == 0) {\n"
    "        sums[get_group_id(0)] = block[2 * lanes - 1];\n"
    "        block[2 * lanes - 1] = 0;\n"
    "    }\n"
    "    for (uint active = 1; active <= lanes; active <<= 1) {\n"
    "        stride >>= 1;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (lane < active) {\n"
    "            uint left = stride * (2 * lane + 1) - 1, right = stride * (2 * lane + 2) - 1;\n"
    "            int sum = block[left];\n"
    "            block[left] = block[right];\n"
    "            block[right] += sum;\n"
    "        }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (a < count) data[a] = block[lane];\n"
    "    if (b < count) data[b] = block[lane + lanes];\n"
    "}\n"
    "__kernel void add_sums(__global int *data, __global const int *sums, uint block) {\n"
    "    uint i = get_global_id(0);\n"
    "    data[i] += sums[i / block];\n"
    "}\n";

typedef struct {
    cl_mem levels[LEVELS + 1]; // each holds the sums of the blocks of the one before
    cl_event done;
} Scan;

static cl_uint count_at(int level) {
    cl_uint count = COUNTED;
    for (; level > 0; --level)
        count = (count + BLOCK - 1) / BLOCK;
    return count;
}

// Every command waits for the one before it in its own chain and for nothing else.
static void continue_with(Scan *scan, cl_event next) {
    CHECK(clReleaseEvent(scan->done));
    scan->done = next;
}

static void enqueue_scan(cl_command_queue queue, cl_kernel scan_blocks, cl_kernel add_sums,
                         Scan *scan) {
    const cl_uint block = BLOCK;
    cl_event next;
    for (int level = 0; level < LEVELS; ++level) {
        const cl_uint count = count_at(level);
        const size_t group = GROUP, size = (size_t)count_at(level + 1) * GROUP;
        CHECK(clSetKernelArg(scan_blocks, 0, sizeof(cl_mem), &scan->levels[level]));
        CHECK(clSetKernelArg(scan_blocks, 1, sizeof(cl_mem), &scan->levels[level + 1]));
        CHECK(clSetKernelArg(scan_blocks, 2, sizeof count, &count));
        CHECK(clSetKernelArg(scan_blocks, 3, BLOCK * sizeof(cl_int), NULL));
        CHECK(clEnqueueNDRangeKernel(queue, scan_blocks, 1, NULL, &size, &group, 1, &scan->done,
                                     &next));
        continue_with(scan, next);
    }
    for (int level = LEVELS - 2; level >= 0; --level) {
        const size_t size = count_at(level);
        CHECK(clSetKernelArg(add_sums, 0, sizeof(cl_mem), &scan->levels[level]));
        CHECK(clSetKernelArg(add_sums, 1, sizeof(cl_mem), &scan->levels[level + 1]));
        CHECK(clSetKernelArg(add_sums, 2, sizeof block, &block));
        CHECK(clEnqueueNDRangeKernel(queue, add_sums, 1, NULL, &size, NULL, 1, &scan->done, &next));
        continue_with(scan, next);
    }
}

int main(void) {
    static cl_int data[ARRAYS][COUNTED], result[ARRAYS][COUNTED], totals[ARRAYS];
    uint32_t seed = 31;
    for (int a = 0; a < ARRAYS; ++a)
        for (int i = 0; i < COUNTED; ++i)
            data[a][i] = (cl_int)(next_random(&seed) % 2001) - 1000 * a;
    REQUIRE(count_at(LEVELS) == 1);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    CHECK(code);
    cl_program program = build_source(context, device, SOURCE, NULL);
    cl_kernel scan_blocks = make_kernel(program, "scan_blocks");
    cl_kernel add_sums = make_kernel(program, "add_sums");

    Scan scans[ARRAYS];
    for (int a = 0; a < ARRAYS; ++a) {
        for (int level = 0; level <= LEVELS; ++level)
            scans[a].levels[level] =
                make_buffer(context, CL_MEM_READ_WRITE, count_at(level) * sizeof(cl_int), NULL);
        CHECK(clEnqueueWriteBuffer(queue, scans[a].levels[0], CL_FALSE, 0, sizeof data[a], data[a],
                                   0, NULL, &scans[a].done));
    }
    for (int a = 0; a < ARRAYS; ++a)
        enqueue_scan(queue, scan_blocks, add_sums, &scans[a]);
    cl_event reads[2 * ARRAYS], all_read;
    for (int a = 0; a < ARRAYS; ++a) {
        CHECK(clEnqueueReadBuffer(queue, scans[a].levels[0], CL_FALSE, 0, sizeof result[a],
                                  result[a], 1, &scans[a].done, &reads[2 * a]));
        CHECK(clEnqueueReadBuffer(queue, scans[a].levels[LEVELS], CL_FALSE, 0, sizeof totals[a],
                                  &totals[a], 1, &scans[a].done, &reads[2 * a + 1]));
    }
    CHECK(clEnqueueMarkerWithWaitList(queue, 2 * ARRAYS, reads, &all_read));
    CHECK(clWaitForEvents(1, &all_read));

    for (int a = 0; a < ARRAYS; ++a) {
        cl_int sum = 0;
        for (int i = 0; i < COUNTED; ++i) {
            REQUIRE(result[a][i] == sum);
            sum += data[a][i];
        }
        REQUIRE(totals[a] == sum);
        printf("array %d adds up to %d\n", a, sum);
        print_checksum("prefix_scan", result[a], sizeof result[a]);
    }
    puts("ok");

    CHECK(clReleaseEvent(all_read));
    for (int i = 0; i < 2 * ARRAYS; ++i)
        CHECK(clReleaseEvent(reads[i]));
    for (int a = 0; a < ARRAYS; ++a) {
        CHECK(clReleaseEvent(scans[a].done));
        for (int level = 0; level <= LEVELS; ++level)
            CHECK(clReleaseMemObject(scans[a].levels[level]));
    }
    CHECK(clReleaseKernel(scan_blocks));
    CHECK(clReleaseKernel(add_sums));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
