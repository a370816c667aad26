// Inverts 4x4 matrices by Gauss-Jordan with partial pivoting in a private
// 2-D array; singular ones are reported.
//
// launch: -k invert -g 3 -l 1 -a values:4,0,0,1,0,2,0,0,0,0,8,0,0,0,0,1,0,2,0,0,1,0,0,0,0,0,0,4,0,0,8,0,1,2,3,4,2,4,6,8,0,1,0,1,1,0,1,0 -a zero:48 -a zero:3
// expect 1: 0.25 0 0 -0.25 0 0.5 0 0 0 0 0.125 0 0 0 0 1 0 1 0 0 0.5 0 0 0 0 0 0 0.125 0 0 0.25 0 0 0 0 0 0 0 0 0 0 0
// expect 1: 0 0 0 0 0 0
// expect 2: 0 0 4
// launch: -k invert -g 2 -l 2 -a rand:32:1051:-1:1 -a zero:32 -a zero:2
// expect 1: -0.39839645791086364 -0.38755426654984837 -0.11968117633224047 -0.5701422431083036 -0.021085666503349976
// expect 1: 0.18784126568626586 0.8311031134986829 0.6350971831574802 0.2829909461390976 1.0848765158230338
// expect 1: 0.18624293124499847 -0.7703362442311119 1.1126948469645712 0.24421882867744024 1.1109835277190232
// expect 1: 0.026077507382024717 0.19065889236345734 -0.3262154103676109 -3.2419105122323515 2.7287981703850424
// expect 1: 1.6228940619379737 0.2882263964250016 4.661865308621424 -2.1119374584370916 0.4220375602700094
// expect 1: 0.5127116448401681 -0.967612226226966 0.6680610569335447 -0.5762349660481405 -0.5621336562296011
// expect 1: -0.5434554775226644 -0.7399690270728528

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void invert(__global const double *in, __global double *out, __global int *singular)
{
    int g = get_global_id(0);
    double m[4][8];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 8; c++)
            m[r][c] = c < 4 ? in[16 * g + 4 * r + c] : (c - 4 == r ? 1.0 : 0.0);
    for (int c = 0; c < 4; c++) {
        int pivot = c;
        for (int r = c + 1; r < 4; r++)
            if (fabs(m[r][c]) > fabs(m[pivot][c]))
                pivot = r;
        if (m[pivot][c] == 0.0) {
            singular[g] = c + 1;
            return;
        }
        for (int k = 0; k < 8; k++) {
            double t = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = t;
        }
        double scale = m[c][c];
        for (int k = 0; k < 8; k++)
            m[c][k] /= scale;
        for (int r = 0; r < 4; r++) {
            if (r == c)
                continue;
            double f = m[r][c];
            for (int k = 0; k < 8; k++)
                m[r][k] -= f * m[c][k];
        }
    }
    for (int r = 0; r < 4; r++)
        vstore4((double4)(m[r][4], m[r][5], m[r][6], m[r][7]), r, out + 16 * g);
}
