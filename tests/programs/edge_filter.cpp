// Edges of an image: grey levels, Sobel's operator, and a threshold that the host takes from the
// mean.
// The C++ bindings with exceptions: kernel functors, cl::copy, vector arguments, and a program that
// does not compile, whose error carries the build log.
#define CL_HPP_ENABLE_EXCEPTIONS
#include "support.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace {

const int WIDTH = 32, HEIGHT = 24, PIXELS = WIDTH * HEIGHT;

const std::string SOURCE = R"(
__kernel void grey(__global const uchar4 *image, __global uchar *level, uint4 weights) {
    size_t i = get_global_id(0);
    uint4 sum = convert_uint4(image[i]) * weights;
    level[i] = convert_uchar_sat((sum.x + sum.y + sum.z) >> 8);
}

int pixel(__global const uchar *level, int x, int y, int width, int height) {
    return level[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

__kernel void sobel(__global const uchar *level, __global ushort *edge, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    int dx = 0, dy = 0;
    for (int i = -1; i <= 1; ++i) {
        int weight = i == 0 ? 2 : 1;
        dx += weight * (pixel(level, x + 1, y + i, width, height) -
                        pixel(level, x - 1, y + i, width, height));
        dy += weight * (pixel(level, x + i, y + 1, width, height) -
                        pixel(level, x + i, y - 1, width, height));
    }
    edge[y * width + x] = (ushort)(abs(dx) + abs(dy));
}

__kernel void threshold(__global const ushort *edge, __global uchar *mask, ushort limit) {
    size_t i = get_global_id(0);
    mask[i] = edge[i] > limit ? 255 : 0;
}
)";

std::vector<cl_uchar4> make_image() {
    std::vector<cl_uchar4> image(PIXELS);
    uint32_t seed = 67;
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x)
            for (int c = 0; c < 4; ++c) {
                const bool inside = (x - 15) * (x - 15) + (y - 11) * (y - 11) < 50 + 10 * c;
                image[y * WIDTH + x].s[c] =
                    static_cast<cl_uchar>((inside ? 180 : 40) + next_random(&seed) % 16);
            }
    return image;
}

std::vector<cl_ushort> edges_on_the_host(const std::vector<cl_uchar4> &image) {
    std::vector<int> level(PIXELS);
    for (int i = 0; i < PIXELS; ++i)
        level[i] = (image[i].s[0] * 77 + image[i].s[1] * 150 + image[i].s[2] * 29) >> 8;
    const auto at = [&](int x, int y) {
        return level[std::min(std::max(y, 0), HEIGHT - 1) * WIDTH +
                     std::min(std::max(x, 0), WIDTH - 1)];
    };
    std::vector<cl_ushort> edge(PIXELS);
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            const int dx = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) -
                           at(x - 1, y - 1) - 2 * at(x - 1, y) - at(x - 1, y + 1);
            const int dy = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) -
                           at(x - 1, y - 1) - 2 * at(x, y - 1) - at(x + 1, y - 1);
            edge[y * WIDTH + x] = static_cast<cl_ushort>(std::abs(dx) + std::abs(dy));
        }
    return edge;
}

// A mistake in a kernel is an exception with the compiler's message.
bool wrong_program_is_refused(const cl::Context &context) {
    try {
        cl::Program(context, std::string("__kernel void f(__global int *x) { *x = nothing; }"))
            .build();
    } catch (const cl::BuildError &error) {
        return error.err() == CL_BUILD_PROGRAM_FAILURE && !error.getBuildLog().empty() &&
               error.getBuildLog()[0].second.find("nothing") != std::string::npos;
    }
    return false;
}

bool wrong_name_is_refused(const cl::Program &program) {
    try {
        cl::Kernel(program, "no_such_kernel");
    } catch (const cl::Error &error) {
        return error.err() == CL_INVALID_KERNEL_NAME;
    }
    return false;
}

void run() {
    const cl::Platform platform = chosen_platform();
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    const cl::Context context(devices[0]);
    cl::CommandQueue queue(context, devices[0]);
    REQUIRE(wrong_program_is_refused(context));

    cl::Program program(context, SOURCE);
    program.build("-Werror");
    REQUIRE(wrong_name_is_refused(program));
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint4> grey(program, "grey");
    cl::KernelFunctor<cl::Buffer, cl::Buffer, int, int> sobel(program, "sobel");
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_ushort> threshold(program, "threshold");

    std::vector<cl_uchar4> image = make_image();
    std::vector<cl_ushort> edges(PIXELS);
    std::vector<cl_uchar> mask(PIXELS);
    const cl::Buffer pixels(queue, image.begin(), image.end(), true);
    const cl::Buffer levels(context, CL_MEM_READ_WRITE, PIXELS);
    const cl::Buffer edge_buffer(context, CL_MEM_READ_WRITE, PIXELS * sizeof(cl_ushort));
    const cl::Buffer mask_buffer(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, PIXELS);

    const cl_uint4 weights = {{77, 150, 29, 0}};
    const cl::Event levelled =
        grey(cl::EnqueueArgs(queue, cl::NDRange(PIXELS)), pixels, levels, weights);
    sobel(cl::EnqueueArgs(queue, levelled, cl::NDRange(WIDTH, HEIGHT), cl::NDRange(8, 8)), levels,
          edge_buffer, WIDTH, HEIGHT);
    cl::copy(queue, edge_buffer, edges.begin(), edges.end());
    unsigned long sum = 0;
    for (const cl_ushort edge : edges)
        sum += edge;
    const cl_ushort limit = static_cast<cl_ushort>(2 * sum / PIXELS);
    threshold(cl::EnqueueArgs(queue, cl::NDRange(PIXELS)), edge_buffer, mask_buffer, limit).wait();
    cl::copy(queue, mask_buffer, mask.begin(), mask.end());

    REQUIRE(edges == edges_on_the_host(image));
    for (int i = 0; i < PIXELS; ++i)
        REQUIRE(mask[i] == (edges[i] > limit ? 255 : 0));
    for (int y = 0; y < HEIGHT; y += 2) {
        for (int x = 0; x < WIDTH; ++x)
            std::cout << (mask[y * WIDTH + x] != 0 ? '#' : '.');
        std::cout << '\n';
    }
    std::cout << "limit " << limit << "\nok\n";
}

} // namespace

int main() {
    try {
        run();
    } catch (const cl::Error &error) {
        std::cerr << error.what() << ": " << error.err() << '\n';
        return 1;
    }
    return 0;
}
