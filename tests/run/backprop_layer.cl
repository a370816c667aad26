// Forward pass of a neural layer: products in local memory, tree reduction
// per hidden unit over the second dimension, sigmoid at the end.
//
// launch: -k forward -g 4,8 -l 4,8 -a rand:8:601:-1:1 -a rand:36:602:-0.5:0.5 -a zero:32 -a zero:4
// expect 2: -0.21066017 0.17540853 0.21159664 -0.06919295 0.3109562 -0.291796 -0.072390094 -0.13011941 0.03179039
// expect 2: -0.09771946 -0.09901679 0.0783643 -0.1426418 -0.27636722 -0.2735246 -0.12430577 0.001193475 -0.0518006
// expect 2: 0.038538575 0.038679663 -0.0421388 0.007889461 -0.20531365 0.014260026 -0.082673326 -0.34755176
// expect 2: 0.037355237 0.24084155 0.027103249 0.028958077 -0.1416172 0.05321816
// expect 3: 0.38888448 0.3226105 0.34868905 0.61930645
// ulp: 16

__kernel void forward(__global const float *input, __global const float *weights, __global float *partial, __global float *hidden)
{
    __local float node[8];
    __local float m[8][4];
    int tx = get_local_id(0), ty = get_local_id(1), nh = get_local_size(0);
    if (tx == 0)
        node[ty] = input[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    m[ty][tx] = weights[(ty + 1) * nh + tx] * node[ty];
    partial[ty * nh + tx] = m[ty][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 8; s <<= 1) {
        if (ty % (2 * s) == 0)
            m[ty][tx] = m[ty][tx] + m[ty + s][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (ty == 0) {
        float x = m[0][tx] + weights[tx];
        hidden[tx] = 1.0f / (1.0f + exp(-x));
    }
}
