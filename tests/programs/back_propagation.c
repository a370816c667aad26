// One training step of a neural network with one hidden layer: the device multiplies and adds up
// the inputs of each hidden unit and adjusts the weights, the host does the small output layer.
// Compiled in parts: two sources and an embedded header (clCompileProgram), one of them made a
// library, linked (clLinkProgram).
#include "support.h"

#include <math.h>

enum { INPUTS = 256, HIDDEN = 8, GROUP = 16, GROUPS = INPUTS / GROUP };

static const char *HEADER = "#ifndef LAYER_H\n"
                            "#define LAYER_H\n"
                            "#define HIDDEN 8\n"
                            "#define GROUP 16\n"
                            "float adjustment(float delta, float input, float old);\n"
                            "#endif\n";

static const char *ADJUSTMENT = "#pragma OPENCL FP_CONTRACT OFF\n"
                                "#include \"network/layer.h\"\n"
                                "float adjustment(float delta, float input, float old) {\n"
                                "    return RATE * delta * input + MOMENTUM * old;\n"
                                "}\n";

static const char *KERNELS =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#include \"network/layer.h\"\n"
    "__kernel __attribute__((reqd_work_group_size(HIDDEN, GROUP, 1)))\n"
    "void forward(__global const float *input, __global const float *weight,\n"
    "             __global float *partial) {\n"
    "    __local float product[GROUP][HIDDEN];\n"
    "    int unit = get_local_id(0), lane = get_local_id(1), i = get_global_id(1);\n"
    "    product[lane][unit] = weight[i * HIDDEN + unit] * input[i];\n"
    "    for (int stride = GROUP / 2; stride > 0; stride /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (lane < stride)\n"
    "            product[lane][unit] += product[lane + stride][unit];\n"
    "    }\n"
    "    if (lane == 0)\n"
    "        partial[get_group_id(1) * HIDDEN + unit] = product[0][unit];\n"
    "}\n"
    "__kernel void adjust(__global const float *delta, __global const float *input,\n"
    "                     __global float *weight, __global float *old) {\n"
    "    int unit = get_global_id(0), i = get_global_id(1);\n"
    "    int at = i * HIDDEN + unit;\n"
    "    float change = adjustment(delta[unit], input[i], old[at]);\n"
    "    weight[at] += change;\n"
    "    old[at] = change;\n"
    "}\n";

static cl_program source_program(cl_context context, const char *text) {
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    CHECK(code);
    return program;
}

static void compile(cl_program program, cl_device_id device, const char *options,
                    cl_program header) {
    const char *name = "network/layer.h";
    const cl_int code =
        clCompileProgram(program, 1, &device, options, 1, &header, &name, NULL, NULL);
    if (code != CL_SUCCESS)
        print_build_log(program, device);
    CHECK(code);
    cl_program_binary_type type;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    REQUIRE(type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
}

static cl_program build_in_parts(cl_context context, cl_device_id device) {
    cl_program header = source_program(context, HEADER);
    cl_program adjustment = source_program(context, ADJUSTMENT);
    cl_program kernels = source_program(context, KERNELS);
    compile(adjustment, device, "-DRATE=0.25f -DMOMENTUM=0.5f", header);
    compile(kernels, device, "", header);
    cl_int code;
    cl_program library =
        clLinkProgram(context, 1, &device, "-create-library", 1, &adjustment, NULL, NULL, &code);
    CHECK(code);
    const cl_program parts[] = {kernels, library};
    cl_program linked = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &code);
    if (code != CL_SUCCESS && linked != NULL)
        print_build_log(linked, device);
    CHECK(code);
    CHECK(clReleaseProgram(header));
    CHECK(clReleaseProgram(adjustment));
    CHECK(clReleaseProgram(kernels));
    CHECK(clReleaseProgram(library));
    return linked;
}

static float squash(float x) { return 1.0f / (1.0f + expf(-x)); }

// The hidden units' deltas, from what the groups have added up for each of them.
static float output_layer(const float *partial, const float *weight, float target, float *delta) {
    float hidden[HIDDEN], sum = 0.0f;
    for (int unit = 0; unit < HIDDEN; ++unit) {
        float in = 0.0f;
        for (int group = 0; group < GROUPS; ++group)
            in += partial[group * HIDDEN + unit];
        hidden[unit] = squash(in);
        sum += hidden[unit] * weight[unit];
    }
    const float out = squash(sum), error = out * (1.0f - out) * (target - out);
    for (int unit = 0; unit < HIDDEN; ++unit)
        delta[unit] = hidden[unit] * (1.0f - hidden[unit]) * error * weight[unit];
    return out;
}

static void forward_on_the_host(const float *input, const float *weight, float *partial) {
    for (int group = 0; group < GROUPS; ++group)
        for (int unit = 0; unit < HIDDEN; ++unit) {
            float product[GROUP];
            for (int lane = 0; lane < GROUP; ++lane)
                product[lane] =
                    weight[(group * GROUP + lane) * HIDDEN + unit] * input[group * GROUP + lane];
            for (int stride = GROUP / 2; stride > 0; stride /= 2)
                for (int lane = 0; lane < stride; ++lane)
                    product[lane] += product[lane + stride];
            partial[group * HIDDEN + unit] = product[0];
        }
}

int main(void) {
    static float input[INPUTS], weight[INPUTS * HIDDEN], old[INPUTS * HIDDEN];
    static float adjusted[INPUTS * HIDDEN];
    float partial[GROUPS * HIDDEN], expected[GROUPS * HIDDEN], last[HIDDEN], delta[HIDDEN];
    uint32_t seed = 41;
    for (int i = 0; i < INPUTS; ++i)
        input[i] = next_float(&seed) / 2.0f;
    for (int i = 0; i < INPUTS * HIDDEN; ++i)
        weight[i] = next_float(&seed) / 16.0f;
    for (int i = 0; i < HIDDEN; ++i)
        last[i] = next_float(&seed);

    cl_platform_id platform = choose_platform();
    cl_device_id device = choose_device(platform, CL_DEVICE_TYPE_ALL);
    cl_context context = make_context(platform, device);
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);
    cl_program program = build_in_parts(context, device);
    cl_kernel forward = make_kernel(program, "forward");
    cl_kernel adjust = make_kernel(program, "adjust");

    cl_mem inputs =
        make_buffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof input, input);
    cl_mem weights =
        make_buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof weight, weight);
    cl_mem changes =
        make_buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof old, old);
    cl_mem partials = make_buffer(context, CL_MEM_WRITE_ONLY, sizeof partial, NULL);
    cl_mem deltas = make_buffer(context, CL_MEM_READ_ONLY, sizeof delta, NULL);
    cl_mem forward_args[] = {inputs, weights, partials};
    cl_mem adjust_args[] = {deltas, inputs, weights, changes};
    for (cl_uint i = 0; i < COUNT(forward_args); ++i)
        CHECK(clSetKernelArg(forward, i, sizeof(cl_mem), &forward_args[i]));
    for (cl_uint i = 0; i < COUNT(adjust_args); ++i)
        CHECK(clSetKernelArg(adjust, i, sizeof(cl_mem), &adjust_args[i]));

    const size_t size[] = {HIDDEN, INPUTS}, group[] = {HIDDEN, GROUP};
    for (int round = 0; round < 2; ++round) {
        CHECK(clEnqueueNDRangeKernel(queue, forward, 2, NULL, size, group, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, partials, CL_TRUE, 0, sizeof partial, partial, 0, NULL,
                                  NULL));
        forward_on_the_host(input, weight, expected);
        REQUIRE(memcmp(partial, expected, sizeof partial) == 0);
        printf("round %d: %.4f\n", round, output_layer(partial, last, 0.75f, delta));
        CHECK(clEnqueueWriteBuffer(queue, deltas, CL_FALSE, 0, sizeof delta, delta, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(queue, adjust, 2, NULL, size, group, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(queue, weights, CL_TRUE, 0, sizeof adjusted, adjusted, 0, NULL,
                                  NULL));
        for (int i = 0; i < INPUTS * HIDDEN; ++i) {
            old[i] = 0.25f * delta[i % HIDDEN] * input[i / HIDDEN] + 0.5f * old[i];
            weight[i] += old[i];
        }
        REQUIRE(memcmp(adjusted, weight, sizeof weight) == 0);
    }
    printf("weights %.5f %.5f %.5f\n", weight[0], weight[HIDDEN + 3], weight[INPUTS * HIDDEN - 1]);
    puts("ok");

    for (size_t i = 0; i < COUNT(adjust_args); ++i)
        CHECK(clReleaseMemObject(adjust_args[i]));
    CHECK(clReleaseMemObject(partials));
    CHECK(clReleaseKernel(forward));
    CHECK(clReleaseKernel(adjust));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
