// Shared by the C++ programs of this folder, besides support.h: a platform through the C++ bindings.
#ifndef SUPPORT_HPP
#define SUPPORT_HPP

#ifndef CL_HPP_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION 120
#endif
#ifndef CL_HPP_MINIMUM_OPENCL_VERSION
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#endif
#include "support.h"

#include <CL/opencl.hpp>
#include <string>
#include <vector>

// The first platform, or the one whose name contains what OPENCL_PLATFORM says.
inline cl::Platform chosen_platform() {
    const char *wanted = std::getenv("OPENCL_PLATFORM");
    std::vector<cl::Platform> platforms;
    CHECK(cl::Platform::get(&platforms));
    for (const cl::Platform &platform : platforms)
        if (wanted == nullptr ||
            platform.getInfo<CL_PLATFORM_NAME>().find(wanted) != std::string::npos)
            return platform;
    std::fprintf(stderr, "no platform is called %s\n", wanted == nullptr ? "anything" : wanted);
    std::exit(1);
}

#endif
