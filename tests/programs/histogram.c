// Histograms of the three channels of an image: each group counts in local memory, then adds to the
// channel's part of one result buffer.
// Sub-buffers as arguments, an image that the device reads through uchar4, sizes from
// clGetKernelWorkGroupInfo, a device-side copy of the result and a fill with a pattern.
#include "support.h"

enum { PIXELS = 3000, BINS = 64, CHANNELS = 3, ITEMS = 512 };

static const char *SOURCE =
    "__kernel void histogram(__global const uchar4 *image, uint pixels, uint channel,\n"
    "                        __global uint *bins, __local uint *count) {\n"
    "    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))\n"
    "        count[i] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_global_id(0); i < pixels; i += get_global_size(0)) {\n"
    "        uchar4 pixel = image[i];\n"
    "        uchar level = channel == 0 ? pixel.x : channel == 1 ? pixel.y : pixel.z;\n"
    "        atomic_inc(&count[level * BINS / 256]);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_local_id(0); i < BINS; i += get_local_size(0))\n"
    "        if (count[i] != 0)\n"
    "            atomic_add(&bins[i], count[i]);\n"
    "}\n";

int main(void) {
    static cl_uchar4 image[PIXELS];
    static cl_uint expected[CHANNELS][BINS];
    uint32_t seed = 29;
    for (int i = 0; i < PIXELS; ++i)
        for (int c = 0; c < 4; ++c) {
            image[i].s[c] = (cl_uchar)(next_random(&seed) % 256 * (next_random(&seed) % 256) / 255);
            if (c < CHANNELS)
                ++expected[c][image[i].s[c] * BINS / 256];
        }

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char options[32];
    snprintf(options, sizeof options, "-DBINS=%d", BINS);
    cl_program program = build_source(context, device, SOURCE, options);
    cl_kernel kernel = make_kernel(program, "histogram");

    size_t most = 0, multiple = 0, group = 64;
    CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                   NULL));
    CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                   sizeof multiple, &multiple, NULL));
    REQUIRE(most >= 1 && multiple >= 1);
    while (group > most)
        group /= 2;

    cl_mem pixels =
        make_buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof image, image);
    cl_uint align_bits = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align_bits, &align_bits,
                          NULL));
    const size_t bytes = sizeof expected[0], align = align_bits / 8;
    const size_t part = (bytes + align - 1) / align * align;
    const cl_uint mark = 0xdeadbeef, zero = 0;
    cl_mem bins = make_buffer(context, CL_MEM_READ_WRITE, CHANNELS * part, NULL);
    cl_mem copy = make_buffer(context, CL_MEM_READ_WRITE, sizeof expected + sizeof mark, NULL);
    CHECK(clEnqueueFillBuffer(queue, bins, &zero, sizeof zero, 0, CHANNELS * part, 0, NULL, NULL));
    CHECK(clEnqueueFillBuffer(queue, copy, &mark, sizeof mark, 0, sizeof expected + sizeof mark, 0,
                              NULL, NULL));

    const size_t size = ITEMS;
    const cl_uint pixel_count = PIXELS;
    CHECK(clSetKernelArg(kernel, 0, sizeof pixels, &pixels));
    CHECK(clSetKernelArg(kernel, 1, sizeof pixel_count, &pixel_count));
    CHECK(clSetKernelArg(kernel, 4, bytes, NULL));
    for (cl_uint c = 0; c < CHANNELS; ++c) {
        const cl_buffer_region region = {c * part, bytes};
        cl_mem channel = clCreateSubBuffer(bins, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                           &region, &code);
        CHECK(code);
        CHECK(clSetKernelArg(kernel, 2, sizeof c, &c));
        CHECK(clSetKernelArg(kernel, 3, sizeof channel, &channel));
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL));
        CHECK(clEnqueueCopyBuffer(queue, channel, copy, 0, c * bytes, bytes, 0, NULL, NULL));
        // The commands keep what they need: the program may release its own reference at once.
        CHECK(clReleaseMemObject(channel));
    }
    cl_uint result[CHANNELS * BINS + 1];
    REQUIRE(sizeof result == sizeof expected + sizeof mark);
    CHECK(clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));

    REQUIRE(memcmp(result, expected, sizeof expected) == 0);
    REQUIRE(result[CHANNELS * BINS] == mark);
    for (int c = 0; c < CHANNELS; ++c)
        printf("channel %d: %u %u %u ... %u\n", c, result[c * BINS], result[c * BINS + 1],
               result[c * BINS + 2], result[c * BINS + BINS - 1]);
    print_checksum("histogram", result, sizeof expected);
    puts("ok");

    CHECK(clReleaseMemObject(pixels));
    CHECK(clReleaseMemObject(bins));
    CHECK(clReleaseMemObject(copy));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
