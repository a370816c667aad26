// x1 += A y1 and x2 += A' y2 together; then y = alpha A x + beta B x with
// vector loads and a dot per four columns.
//
// launch: -k mvt -g 8 -l 4 -a rand:64:441:0:1 -a rand:8:442:0:1 -a rand:8:443:0:1 -a fill:8:1 -a fill:8:2
// expect 3: 3.7008471 4.0045977 4.3339577 4.1629176 3.4554014 3.7466445 3.8356624 5.0886326
// expect 4: 3.8482947 4.123796 4.7221107 4.4001827 4.0562572 4.3062663 4.8229547 3.9771886
// launch: -k gesummv -g 8 -l 2 -a 0.5 -a 2 -a rand:64:444:-8:8 -a rand:64:445:-8:8 -a rand:8:446:-8:8 -a zero:8
// expect 5: 49 -39.5 -15 10 50 -6.5 156.5 -109

#pragma OPENCL FP_CONTRACT OFF
#define N 8
__kernel void mvt(__global const float *A, __global const float *y1, __global const float *y2, __global float *x1, __global float *x2)
{
    int i = get_global_id(0);
    float a = x1[i], b = x2[i];
    for (int j = 0; j < N; j++) {
        a += A[i * N + j] * y1[j];
        b += A[j * N + i] * y2[j];
    }
    x1[i] = a;
    x2[i] = b;
}

__kernel void gesummv(float alpha, float beta, __global const int *A, __global const int *B, __global const int *x, __global float *y)
{
    int i = get_global_id(0);
    int4 sa = 0, sb = 0;
    for (int j = 0; j < N / 4; j++) {
        int4 v = vload4(j, x);
        sa += vload4(i * 2 + j, A) * v;
        sb += vload4(i * 2 + j, B) * v;
    }
    y[i] = alpha * (sa.x + sa.y + sa.z + sa.w) + beta * (sb.x + sb.y + sb.z + sb.w);
}
