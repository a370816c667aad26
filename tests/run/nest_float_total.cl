// A sum over all rows is one value of the outer loop: it is added to behind each row.
//
// launch: -k f -g 1 -a 4 -a 3 -a rand:12:9:0:1 -a zero:5
// expect 3: 0.7506949 0.78481364 0.9835485 0.78916097 3.8082182

__kernel void f(int n, int m, __global const float *restrict in, __global float *restrict out)
{
    float total = 0.5f;
    for (int i = 0; i < n; i++) {
        float most = 0;
        for (int j = 0; j < m; j++)
            most = fmax(most, in[i * m + j]);
        total += most;
        out[i] = most;
    }
    out[n] = total;
}
