__kernel void add(__global const float *a, __global float *b) {
    size_t i = get_global_id(0);
    b[i] += a[i];
}

__kernel void lock(__global int *lock, __global int *sum) {
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    *sum += 1;
    atomic_xchg(lock, 0);
}
