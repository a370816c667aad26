__kernel void gauss_seidel(__global float *a, int n, int sweeps) {
    for (int s = 0; s < sweeps; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i * n + j] = 0.25f * (a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j]);
}
