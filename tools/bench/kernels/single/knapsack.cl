#define CAPACITY 256
__kernel void knapsack(__global const int *restrict weight, __global const int *restrict value,
                       __global int *restrict best, int n) {
    int most[CAPACITY + 1];
    for (int c = 0; c <= CAPACITY; c++) most[c] = 0;
    for (int i = 0; i < n; i++)
        for (int c = CAPACITY; c >= weight[i]; c--) most[c] = max(most[c], most[c - weight[i]] + value[i]);
    *best = most[CAPACITY];
}
