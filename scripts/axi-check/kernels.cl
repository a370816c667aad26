// Streams: a reader for each load, a writer for the store.
__kernel void add(__global const uint *a, __global const uint *b, __global uint *c) {
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}

// Caches that are only read, and a writer.
__kernel void rows(__global const uint *a, __global const uint *b, __global uint *c, uint n) {
    size_t i = get_global_id(0);
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[i * n + k] * b[k];
    c[i] = sum;
}

// A cache that is read and written, far from one line to the next.
__kernel void swap_halves(__global uint *a, uint middle) {
    size_t i = get_global_id(0);
    uint low = a[i], high = a[i + middle];
    a[i] = high + 1;
    a[i + middle] = low + 2;
}

// Atomic operations on a cache.
__kernel void count(__global const uint *a, __global uint *bins) {
    atomic_inc(&bins[a[get_global_id(0)] % 64]);
}
