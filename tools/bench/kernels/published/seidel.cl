__kernel void seidel(__global T *restrict a, int n, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                T sum = 0;
                for (int y = -1; y <= 1; y++)
                    for (int x = -1; x <= 1; x++) sum += a[(i + y) * n + j + x];
                a[i * n + j] = sum / 9;
            }
}
