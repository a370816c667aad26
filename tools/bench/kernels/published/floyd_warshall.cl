__kernel void floyd_warshall(__global T *restrict path, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                T through = path[i * n + k] + path[k * n + j];
                path[i * n + j] = path[i * n + j] < through ? path[i * n + j] : through;
            }
}
