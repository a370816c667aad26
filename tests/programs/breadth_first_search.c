// Breadth-first search over a random graph: the host launches level after level until a flag that
// it reads back stays zero.
// The kernels are read from a file; the range is larger than the graph; transfers block.
#include "support.h"

enum { NODES = 700, DEGREE = 4, GROUP = 64 };

typedef struct {
    cl_int first;
    cl_int count;
} Node;

static Node nodes[NODES];
static cl_int edges[NODES * 2 * DEGREE];

static void make_graph(void) {
    uint32_t seed = 7;
    cl_int used = 0;
    for (int i = 0; i < NODES; ++i) {
        nodes[i].first = used;
        nodes[i].count = (cl_int)(next_random(&seed) % (2 * DEGREE));
        for (int k = 0; k < nodes[i].count; ++k)
            edges[used++] = (cl_int)(next_random(&seed) % NODES);
    }
}

static void on_the_host(cl_int *cost) {
    int waiting[NODES], head = 0, tail = 0;
    for (int i = 0; i < NODES; ++i)
        cost[i] = -1;
    cost[0] = 0;
    waiting[tail++] = 0;
    while (head < tail) {
        Node node = nodes[waiting[head]];
        for (int k = 0; k < node.count; ++k) {
            int neighbour = edges[node.first + k];
            if (cost[neighbour] < 0) {
                cost[neighbour] = cost[waiting[head]] + 1;
                waiting[tail++] = neighbour;
            }
        }
        ++head;
    }
}

int main(void) {
    static cl_int cost[NODES], expected[NODES];
    static cl_uchar flags[NODES];
    make_graph();
    nodes[0].count = nodes[0].count == 0 ? 1 : nodes[0].count;
    on_the_host(expected);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    char *source = read_beside(__FILE__, "breadth_first_search.cl");
    cl_program program = build_source(context, device, source, NULL);
    free(source);
    cl_kernel expand = make_kernel(program, "expand");
    cl_kernel advance = make_kernel(program, "advance");

    cl_mem node_buffer = make_buffer(context, CL_MEM_READ_ONLY, sizeof nodes, NULL);
    cl_mem edge_buffer = make_buffer(context, CL_MEM_READ_ONLY, sizeof edges, NULL);
    cl_mem frontier = make_buffer(context, CL_MEM_READ_WRITE, sizeof flags, NULL);
    cl_mem next = make_buffer(context, CL_MEM_READ_WRITE, sizeof flags, NULL);
    cl_mem visited = make_buffer(context, CL_MEM_READ_WRITE, sizeof flags, NULL);
    cl_mem costs = make_buffer(context, CL_MEM_READ_WRITE, sizeof cost, NULL);
    cl_mem more = make_buffer(context, CL_MEM_READ_WRITE, sizeof(cl_int), NULL);

    CHECK(clEnqueueWriteBuffer(queue, node_buffer, CL_TRUE, 0, sizeof nodes, nodes, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, edge_buffer, CL_TRUE, 0, sizeof edges, edges, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, next, CL_TRUE, 0, sizeof flags, flags, 0, NULL, NULL));
    flags[0] = 1;
    CHECK(clEnqueueWriteBuffer(queue, frontier, CL_TRUE, 0, sizeof flags, flags, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, visited, CL_TRUE, 0, sizeof flags, flags, 0, NULL, NULL));
    for (int i = 0; i < NODES; ++i)
        cost[i] = i == 0 ? 0 : -1;
    CHECK(clEnqueueWriteBuffer(queue, costs, CL_TRUE, 0, sizeof cost, cost, 0, NULL, NULL));

    cl_int count = NODES;
    cl_mem expand_args[] = {node_buffer, edge_buffer, frontier, next, visited, costs};
    for (cl_uint i = 0; i < COUNT(expand_args); ++i)
        CHECK(clSetKernelArg(expand, i, sizeof(cl_mem), &expand_args[i]));
    CHECK(clSetKernelArg(expand, 6, sizeof count, &count));
    cl_mem advance_args[] = {frontier, next, visited, more};
    for (cl_uint i = 0; i < COUNT(advance_args); ++i)
        CHECK(clSetKernelArg(advance, i, sizeof(cl_mem), &advance_args[i]));
    CHECK(clSetKernelArg(advance, 4, sizeof count, &count));

    const size_t group = GROUP, size = (NODES + GROUP - 1) / GROUP * GROUP;
    cl_int again, levels = 0;
    do {
        again = 0;
        CHECK(clEnqueueWriteBuffer(queue, more, CL_TRUE, 0, sizeof again, &again, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, expand, 1, NULL, &size, &group, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, advance, 1, NULL, &size, &group, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, more, CL_TRUE, 0, sizeof again, &again, 0, NULL, NULL));
        levels += again;
    } while (again);
    CHECK(clEnqueueReadBuffer(queue, costs, CL_TRUE, 0, sizeof cost, cost, 0, NULL, NULL));

    int reached = 0;
    for (int i = 0; i < NODES; ++i) {
        REQUIRE(cost[i] == expected[i]);
        reached += cost[i] >= 0;
    }
    printf("%d of %d nodes in %d levels\n", reached, NODES, levels);
    print_checksum("breadth_first_search", cost, sizeof cost);
    puts("ok");

    for (size_t i = 0; i < COUNT(expand_args); ++i)
        CHECK(clReleaseMemObject(expand_args[i]));
    CHECK(clReleaseMemObject(more));
    CHECK(clReleaseKernel(expand));
    CHECK(clReleaseKernel(advance));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
