// Shortest paths between all pairs of nodes, one launch per intermediate node, and the paths
// themselves from a second matrix.
// The C++ bindings without exceptions: return codes, map and unmap, an object that outlives the
// names it was made from, work-group sizes from the kernel.
#include "support.hpp"

#include <algorithm>
#include <cstdio>

namespace {

const int NODES = 24, FAR = 1 << 20;

const char *const SOURCE = R"(
__kernel void through(__global int *length, __global short *via, const short middle,
                      const short nodes) {
    int to = get_global_id(0), from = get_global_id(1);
    int direct = length[from * nodes + to];
    int detour = length[from * nodes + middle] + length[middle * nodes + to];
    if (detour < direct) {
        length[from * nodes + to] = detour;
        via[from * nodes + to] = middle;
    }
}
)";

std::vector<cl_int> make_graph() {
    std::vector<cl_int> length(NODES * NODES, FAR);
    uint32_t seed = 71;
    for (int from = 0; from < NODES; ++from) {
        length[from * NODES + from] = 0;
        for (int k = 0; k < 3; ++k) {
            const int to = static_cast<int>(next_random(&seed) % NODES);
            if (to != from)
                length[from * NODES + to] = 1 + static_cast<int>(next_random(&seed) % 20);
        }
    }
    return length;
}

// Follows the middles; adds up the edges of the graph on the way.
int walk(const std::vector<cl_int> &graph, const cl_short *via, int from, int to) {
    const cl_short middle = via[from * NODES + to];
    if (middle < 0)
        return graph[from * NODES + to];
    return walk(graph, via, from, middle) + walk(graph, via, middle, to);
}

cl::CommandQueue open_queue() {
    std::vector<cl::Device> devices;
    CHECK(chosen_platform().getDevices(CL_DEVICE_TYPE_DEFAULT, &devices));
    cl_int code;
    const cl::Context context(devices, nullptr, nullptr, nullptr, &code);
    CHECK(code);
    cl::CommandQueue queue(context, devices[0], 0, &code);
    CHECK(code);
    return queue;
}

cl::Kernel build(const cl::CommandQueue &queue) {
    cl_int code;
    cl::Program program(queue.getInfo<CL_QUEUE_CONTEXT>(), std::string(SOURCE), false, &code);
    CHECK(code);
    const cl::Device device = queue.getInfo<CL_QUEUE_DEVICE>();
    code = program.build(std::vector<cl::Device>(1, device));
    if (code != CL_SUCCESS)
        std::fprintf(stderr, "%s\n", program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device).c_str());
    CHECK(code);
    cl::Kernel kernel(program, "through", &code);
    CHECK(code);
    return kernel;
}

template <typename T>
cl::Buffer filled_buffer(const cl::CommandQueue &queue, const std::vector<T> &contents) {
    const size_t bytes = contents.size() * sizeof(T);
    cl_int code;
    cl::Buffer buffer(queue.getInfo<CL_QUEUE_CONTEXT>(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
    CHECK(code);
    void *mapped =
        queue.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_WRITE, 0, bytes, nullptr, nullptr, &code);
    CHECK(code);
    std::copy(contents.begin(), contents.end(), static_cast<T *>(mapped));
    CHECK(queue.enqueueUnmapMemObject(buffer, mapped));
    return buffer;
}

} // namespace

int main() {
    const std::vector<cl_int> graph = make_graph();
    std::vector<cl_int> expected = graph;
    for (int middle = 0; middle < NODES; ++middle)
        for (int from = 0; from < NODES; ++from)
            for (int to = 0; to < NODES; ++to)
                expected[from * NODES + to] =
                    std::min(expected[from * NODES + to],
                             expected[from * NODES + middle] + expected[middle * NODES + to]);

    const cl::CommandQueue queue = open_queue();
    cl::Kernel kernel = build(queue);
    const size_t most =
        kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(queue.getInfo<CL_QUEUE_DEVICE>());
    const cl::NDRange group = most >= 64 ? cl::NDRange(8, 8) : cl::NullRange;
    const cl::Buffer lengths = filled_buffer(queue, graph);
    const cl::Buffer vias = filled_buffer(queue, std::vector<cl_short>(NODES * NODES, -1));
    CHECK(kernel.setArg(0, lengths));
    CHECK(kernel.setArg(1, vias));
    CHECK(kernel.setArg(3, static_cast<cl_short>(NODES)));
    for (cl_short middle = 0; middle < NODES; ++middle) {
        CHECK(kernel.setArg(2, middle));
        CHECK(queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(NODES, NODES), group));
    }

    std::vector<cl_int> result(NODES * NODES);
    CHECK(queue.enqueueReadBuffer(lengths, CL_TRUE, 0, result.size() * sizeof(cl_int),
                                  result.data()));
    REQUIRE(result == expected);
    cl_int code;
    cl_short *via = static_cast<cl_short *>(queue.enqueueMapBuffer(
        vias, CL_TRUE, CL_MAP_READ, 0, NODES * NODES * sizeof(cl_short), nullptr, nullptr, &code));
    CHECK(code);
    int reachable = 0, longest = 0;
    for (int from = 0; from < NODES; ++from)
        for (int to = 0; to < NODES; ++to)
            if (result[from * NODES + to] < FAR) {
                REQUIRE(walk(graph, via, from, to) == result[from * NODES + to]);
                ++reachable;
                longest = std::max(longest, result[from * NODES + to]);
            }
    CHECK(queue.enqueueUnmapMemObject(vias, via));
    CHECK(queue.finish());
    std::printf("%d pairs, the longest way is %d\n", reachable, longest);
    print_checksum("floyd_warshall", result.data(), result.size() * sizeof(cl_int));
    std::puts("ok");
    return 0;
}
