// Shared by the host programs of this folder: a device, checked calls, reproducible inputs, and a
// function that prints many values as one line.
#ifndef SUPPORT_H
#define SUPPORT_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
// Programs for OpenCL 1.2 stay free of warnings when a later version is the target.
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(code) check_code((code), #code, __FILE__, __LINE__)
#define REQUIRE(condition) require_that((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void check_code(cl_int code, const char *what, const char *file, int line) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s:%d: %s: error %d\n", file, line, what, code);
        exit(1);
    }
}

static inline void require_that(int holds, const char *what, const char *file, int line) {
    if (!holds) {
        fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
        exit(1);
    }
}

static inline void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    REQUIRE(memory != NULL);
    return memory;
}

// The first platform, or the one whose name contains what OPENCL_PLATFORM says.
static inline cl_platform_id choose_platform(void) {
    const char *wanted = getenv("OPENCL_PLATFORM");
    cl_platform_id platforms[16];
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(16, platforms, &count));
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        char name[256];
        CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
        if (wanted == NULL || strstr(name, wanted) != NULL)
            return platforms[i];
    }
    fprintf(stderr, "no platform is called %s\n", wanted == NULL ? "anything" : wanted);
    exit(1);
}

static inline cl_device_id choose_device(cl_platform_id platform, cl_device_type type) {
    cl_device_id device = NULL;
    CHECK(clGetDeviceIDs(platform, type, 1, &device, NULL));
    return device;
}

static inline cl_context make_context(cl_platform_id platform, cl_device_id device) {
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platform, 0};
    cl_int code;
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &code);
    CHECK(code);
    return context;
}

static inline cl_mem make_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host) {
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, flags, bytes, host, &code);
    CHECK(code);
    return buffer;
}

static inline cl_kernel make_kernel(cl_program program, const char *name) {
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    CHECK(code);
    return kernel;
}

static inline void print_build_log(cl_program program, cl_device_id device) {
    size_t bytes = 0;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
    char *log = (char *)allocate(bytes + 1);
    log[bytes] = 0;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL));
    fprintf(stderr, "%s\n", log);
    free(log);
}

static inline cl_program build_source(cl_context context, cl_device_id device, const char *source,
                                      const char *options) {
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK(code);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS)
        print_build_log(program, device);
    CHECK(code);
    return program;
}

// The text of a file that lies in the folder of `beside`, which is meant to be __FILE__.
static inline char *read_beside(const char *beside, const char *name) {
    const char *slash = strrchr(beside, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - beside) + 1;
    char *path = (char *)allocate(folder + strlen(name) + 1);
    memcpy(path, beside, folder);
    strcpy(path + folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    REQUIRE(fseek(file, 0, SEEK_END) == 0);
    long bytes = ftell(file);
    REQUIRE(bytes >= 0 && fseek(file, 0, SEEK_SET) == 0);
    char *text = (char *)allocate((size_t)bytes + 1);
    REQUIRE(fread(text, 1, (size_t)bytes, file) == (size_t)bytes);
    text[bytes] = 0;
    fclose(file);
    free(path);
    return text;
}

static inline uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// A multiple of 1/64 in [-2, 2), so that products of two are exact in single precision.
static inline float next_float(uint32_t *state) {
    return (float)((int)(next_random(state) % 256) - 128) / 64.0f;
}

// FNV-1a.
static inline uint64_t checksum(const void *data, size_t bytes) {
    const unsigned char *byte = (const unsigned char *)data;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

static inline void print_checksum(const char *name, const void *data, size_t bytes) {
    printf("%s %016llx\n", name, (unsigned long long)checksum(data, bytes));
}

#endif
