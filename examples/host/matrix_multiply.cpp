// Multiplies two matrices by tiles in local memory, and without, and compares their times on the
// device.
//
//     c++ -std=c++11 matrix_multiply.cpp -o matrix_multiply -lOpenCL
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const int N = 48, TILE = 8;

const std::string SOURCE = R"(
__kernel void plain(__global const float *a, __global const float *b, __global float *c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void tiled(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        tile_a[ly][lx] = a[y * n + k + lx];
        tile_b[ly][lx] = b[(k + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; ++i)
            sum += tile_a[ly][i] * tile_b[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
)";

// The first device of the first platform, or of the one whose name contains what OPENCL_PLATFORM
// says.
cl::Device choose_device() {
    const char *wanted = std::getenv("OPENCL_PLATFORM");
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const cl::Platform &platform : platforms) {
        if (wanted != nullptr &&
            platform.getInfo<CL_PLATFORM_NAME>().find(wanted) == std::string::npos)
            continue;
        std::vector<cl::Device> devices;
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
        return devices.at(0);
    }
    throw std::runtime_error("no such OpenCL platform");
}

float difference(const std::vector<float> &a, const std::vector<float> &b,
                 const std::vector<float> &c) {
    float worst = 0;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x) {
            float sum = 0;
            for (int k = 0; k < N; ++k)
                sum += a[y * N + k] * b[k * N + x];
            worst = std::fmax(worst, std::fabs(sum - c[y * N + x]));
        }
    return worst;
}

bool multiply() {
    const cl::Device device = choose_device();
    const cl::Context context(device);
    cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
    cl::Program program(context, SOURCE);
    program.build(("-DTILE=" + std::to_string(TILE)).c_str());

    std::vector<float> a(N * N), b(N * N), c(N * N);
    for (int i = 0; i < N * N; ++i) {
        a[i] = static_cast<float>(i % 13 - 6) / 4;
        b[i] = static_cast<float>(i % 7 - 3) / 2;
    }
    const cl::Buffer buffer_a(queue, a.begin(), a.end(), true);
    const cl::Buffer buffer_b(queue, b.begin(), b.end(), true);
    const cl::Buffer buffer_c(context, CL_MEM_WRITE_ONLY, c.size() * sizeof(float));

    std::cout << N << " x " << N << " on " << device.getInfo<CL_DEVICE_NAME>() << '\n';
    bool right = true;
    for (const std::string name : {"plain", "tiled"}) {
        cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, int> kernel(program, name);
        const cl::Event ran =
            kernel(cl::EnqueueArgs(queue, cl::NDRange(N, N), cl::NDRange(TILE, TILE)), buffer_a,
                   buffer_b, buffer_c, N);
        cl::copy(queue, buffer_c, c.begin(), c.end());
        const cl_ulong time = ran.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                              ran.getProfilingInfo<CL_PROFILING_COMMAND_START>();
        const bool same = difference(a, b, c) < 1e-3f;
        std::cout << name << ": " << static_cast<double>(time) / 1e3 << " us, "
                  << (same ? "right" : "wrong") << '\n';
        right = right && same;
    }
    return right;
}

} // namespace

int main() {
    try {
        return multiply() ? 0 : 1;
    } catch (const cl::BuildError &error) {
        for (const auto &log : error.getBuildLog())
            std::cerr << log.second << '\n';
    } catch (const cl::Error &error) {
        std::cerr << error.what() << " failed with code " << error.err() << '\n';
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
    }
    return 1;
}
