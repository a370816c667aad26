// options: -cl-std=CL2.0
constant int table[2] = {1, 2};
typedef struct { constant int *p; } reference;
global reference first = {&table[1]};
kernel void k(global int *out) { out[0] = *first.p; }
