// The positions of a frame's blocks in the frame before: sums of absolute differences for every
// position in a window, then the best position of each block.
// A queue per frame; nothing starts before a user event is set; callbacks count what has ended and
// give frames' memory back when their buffers are destroyed.
#include "support.h"

#include <limits.h>
#include <threads.h>

enum { W = 40, H = 32, BLOCK = 8, REACH = 3, FRAMES = 3, SEARCHES = FRAMES - 1 };
enum {
    SIDE = 2 * REACH + 1,
    PLACES = SIDE * SIDE,
    ACROSS = W / BLOCK,
    BLOCKS = ACROSS * (H / BLOCK)
};

static const char *SOURCE =
    "__kernel void differences(__global const uchar *frame, __global const uchar *before,\n"
    "                          int2 size, __global ushort *sums) {\n"
    "    int place = get_global_id(0), block = get_global_id(1);\n"
    "    int2 corner = BLOCK * (int2)(block % (size.x / BLOCK), block / (size.x / BLOCK));\n"
    "    int2 from = corner + (int2)(place % SIDE, place / SIDE) - (int2)(REACH);\n"
    "    ushort sum = 0;\n"
    "    for (int y = 0; y < BLOCK; ++y)\n"
    "        for (int x = 0; x < BLOCK; ++x) {\n"
    "            int2 old = clamp(from + (int2)(x, y), (int2)(0), size - 1);\n"
    "            uchar now = frame[(corner.y + y) * size.x + corner.x + x];\n"
    "            sum += abs_diff(now, before[old.y * size.x + old.x]);\n"
    "        }\n"
    "    sums[block * SIDE * SIDE + place] = sum;\n"
    "}\n"
    "__kernel void best_places(__global const ushort *sums, __global char2 *motion,\n"
    "                          __global ushort *cost) {\n"
    "    int block = get_global_id(0), best = 0;\n"
    "    ushort least = USHRT_MAX;\n"
    "    for (int place = 0; place < SIDE * SIDE; ++place) {\n"
    "        ushort sum = sums[block * SIDE * SIDE + place];\n"
    "        if (sum < least) {\n"
    "            least = sum;\n"
    "            best = place;\n"
    "        }\n"
    "    }\n"
    "    motion[block] = (char2)(best % SIDE - REACH, best / SIDE - REACH);\n"
    "    cost[block] = least;\n"
    "}\n";

typedef struct {
    cl_command_queue queue;
    cl_mem sums, motion, cost;
    cl_char2 motions[BLOCKS];
    cl_ushort costs[BLOCKS];
    cl_event done;
} Search;

// How many callbacks have been called.
typedef struct {
    mtx_t lock;
    cnd_t changed;
    int ended;
    int destroyed;
} Tally;

static void count(Tally *tally, int *which) {
    mtx_lock(&tally->lock);
    ++*which;
    cnd_broadcast(&tally->changed);
    mtx_unlock(&tally->lock);
}

static void wait_until(Tally *tally, const int *which, int wanted) {
    mtx_lock(&tally->lock);
    while (*which < wanted)
        cnd_wait(&tally->changed, &tally->lock);
    mtx_unlock(&tally->lock);
}

static void CL_CALLBACK search_ended(cl_event event, cl_int status, void *data) {
    (void)event;
    REQUIRE(status == CL_COMPLETE);
    count((Tally *)data, &((Tally *)data)->ended);
}

typedef struct {
    unsigned char pixels[W * H];
    Tally *tally;
} Frame;

static void CL_CALLBACK frame_destroyed(cl_mem buffer, void *data) {
    (void)buffer;
    Tally *tally = ((Frame *)data)->tally;
    free(data);
    count(tally, &tally->destroyed);
}

// A texture that moves by (2, -1) and gets a little noise with every frame.
static Frame *make_frame(int number, Tally *tally) {
    Frame *frame = (Frame *)allocate(sizeof(Frame));
    uint32_t noise = (uint32_t)number + 59;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            const unsigned u = (unsigned)(x - 2 * number + 64), v = (unsigned)(y + number + 64);
            frame->pixels[y * W + x] = (unsigned char)((u * u * 3 + v * 41 + u * v * 7) % 251 / 2 +
                                                       next_random(&noise) % 4);
        }
    frame->tally = tally;
    return frame;
}

static int within(int value, int limit) {
    return value < 0 ? 0 : value >= limit ? limit - 1 : value;
}

static void on_the_host(const Frame *frame, const Frame *before, cl_char2 *motion,
                        cl_ushort *cost) {
    for (int block = 0; block < BLOCKS; ++block) {
        const int left = block % ACROSS * BLOCK, top = block / ACROSS * BLOCK;
        cost[block] = USHRT_MAX;
        for (int place = 0; place < PLACES; ++place) {
            const int dx = place % SIDE - REACH, dy = place / SIDE - REACH;
            cl_ushort sum = 0;
            for (int y = top; y < top + BLOCK; ++y)
                for (int x = left; x < left + BLOCK; ++x)
                    sum +=
                        (cl_ushort)abs(frame->pixels[y * W + x] -
                                       before->pixels[within(y + dy, H) * W + within(x + dx, W)]);
            if (sum < cost[block]) {
                cost[block] = sum;
                motion[block].s[0] = (cl_char)dx;
                motion[block].s[1] = (cl_char)dy;
            }
        }
    }
}

static void enqueue(Search *search, cl_kernel differences, cl_kernel best_places, cl_mem frame,
                    cl_mem before, cl_event start) {
    const cl_int2 size = {{W, H}};
    CHECK(clSetKernelArg(differences, 0, sizeof(cl_mem), &frame));
    CHECK(clSetKernelArg(differences, 1, sizeof(cl_mem), &before));
    CHECK(clSetKernelArg(differences, 2, sizeof size, &size));
    CHECK(clSetKernelArg(differences, 3, sizeof(cl_mem), &search->sums));
    CHECK(clSetKernelArg(best_places, 0, sizeof(cl_mem), &search->sums));
    CHECK(clSetKernelArg(best_places, 1, sizeof(cl_mem), &search->motion));
    CHECK(clSetKernelArg(best_places, 2, sizeof(cl_mem), &search->cost));
    const size_t all[] = {PLACES, BLOCKS}, blocks = BLOCKS;
    CHECK(clEnqueueNDRangeKernel(search->queue, differences, 2, NULL, all, NULL, 1, &start, NULL));
    CHECK(
        clEnqueueNDRangeKernel(search->queue, best_places, 1, NULL, &blocks, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(search->queue, search->cost, CL_FALSE, 0, sizeof search->costs,
                              search->costs, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(search->queue, search->motion, CL_FALSE, 0, sizeof search->motions,
                              search->motions, 0, NULL, &search->done));
    CHECK(clFlush(search->queue));
}

int main(void) {
    Tally tally = {.ended = 0, .destroyed = 0};
    REQUIRE(mtx_init(&tally.lock, mtx_plain) == thrd_success);
    REQUIRE(cnd_init(&tally.changed) == thrd_success);
    Frame *frames[FRAMES];
    for (int i = 0; i < FRAMES; ++i)
        frames[i] = make_frame(i, &tally);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    char options[64];
    snprintf(options, sizeof options, "-DBLOCK=%d -DREACH=%d -DSIDE=%d", BLOCK, REACH, SIDE);
    cl_program program = build_source(context, device, SOURCE, options);
    cl_kernel differences = make_kernel(program, "differences");
    cl_kernel best_places = make_kernel(program, "best_places");
    cl_mem buffers[FRAMES];
    for (int i = 0; i < FRAMES; ++i) {
        buffers[i] =
            make_buffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, W * H, frames[i]->pixels);
        CHECK(clSetMemObjectDestructorCallback(buffers[i], frame_destroyed, frames[i]));
    }

    static Search searches[SEARCHES];
    cl_event start = clCreateUserEvent(context, &code);
    CHECK(code);
    for (int i = 0; i < SEARCHES; ++i) {
        Search *search = &searches[i];
        search->queue = clCreateCommandQueue(context, device, 0, &code);
        CHECK(code);
        search->sums =
            make_buffer(context, CL_MEM_READ_WRITE, BLOCKS * PLACES * sizeof(cl_ushort), NULL);
        search->motion = make_buffer(context, CL_MEM_WRITE_ONLY, sizeof search->motions, NULL);
        search->cost = make_buffer(context, CL_MEM_WRITE_ONLY, sizeof search->costs, NULL);
        enqueue(search, differences, best_places, buffers[i + 1], buffers[i], start);
        CHECK(clSetEventCallback(search->done, CL_COMPLETE, search_ended, &tally));
    }
    cl_int status = CL_COMPLETE;
    CHECK(clGetEventInfo(searches[0].done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                         &status, NULL));
    REQUIRE(status == CL_QUEUED || status == CL_SUBMITTED);
    CHECK(clSetUserEventStatus(start, CL_COMPLETE));
    wait_until(&tally, &tally.ended, SEARCHES);

    for (int i = 0; i < SEARCHES; ++i) {
        cl_char2 motion[BLOCKS];
        cl_ushort cost[BLOCKS];
        on_the_host(frames[i + 1], frames[i], motion, cost);
        REQUIRE(memcmp(searches[i].costs, cost, sizeof cost) == 0);
        REQUIRE(memcmp(searches[i].motions, motion, sizeof motion) == 0);
        printf("frame %d: the middle was at %d %d, cost %u\n", i + 1, motion[BLOCKS / 2].s[0],
               motion[BLOCKS / 2].s[1], cost[BLOCKS / 2]);
        print_checksum("motion_search", cost, sizeof cost);
    }

    CHECK(clReleaseEvent(start));
    for (int i = 0; i < SEARCHES; ++i) {
        CHECK(clReleaseEvent(searches[i].done));
        CHECK(clReleaseMemObject(searches[i].sums));
        CHECK(clReleaseMemObject(searches[i].motion));
        CHECK(clReleaseMemObject(searches[i].cost));
        CHECK(clReleaseCommandQueue(searches[i].queue));
    }
    CHECK(clReleaseKernel(differences));
    CHECK(clReleaseKernel(best_places));
    for (int i = 0; i < FRAMES; ++i)
        CHECK(clReleaseMemObject(buffers[i]));
    wait_until(&tally, &tally.destroyed, FRAMES);
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseContext(context));
    puts("ok");
    cnd_destroy(&tally.changed);
    mtx_destroy(&tally.lock);
    return 0;
}
