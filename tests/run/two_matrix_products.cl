// D = alpha*A*B*C + beta*D: the intermediate row is kept in a private array
// by the work-item that needs it.
//
// launch: -k two_mm -g 8 -l 2 -a 2 -a 3 -a rand:48:421:-5:5 -a rand:30:422:-5:5 -a rand:35:423:-5:5 -a rand:56:424:-5:5
// expect 5: 44 199 -225 85 188 -62 -262 -343 288 -319 424 167 174 -567 -254 458 -37 118 588 -394 -1010 25 -115 266
// expect 5: -174 -101 -55 210 151 236 -43 20 371 -382 -646 301 35 210 -308 241 -465 -126 -241 57 223 -92 19 35 97 176
// expect 5: -86 102 -235 -205 96 522

#define NI 8
#define NK 6
#define NJ 5
#define NL 7
__kernel void two_mm(int alpha, int beta, __global const int *A, __global const int *B, __global const int *C, __global int *D)
{
    int i = get_global_id(0);
    int tmp[NJ];
    for (int j = 0; j < NJ; j++) {
        tmp[j] = 0;
        for (int k = 0; k < NK; k++)
            tmp[j] += alpha * A[i * NK + k] * B[k * NJ + j];
    }
    for (int l = 0; l < NL; l++) {
        int s = D[i * NL + l] * beta;
        for (int j = 0; j < NJ; ++j)
            s += tmp[j] * C[j * NL + l];
        D[i * NL + l] = s;
    }
}
