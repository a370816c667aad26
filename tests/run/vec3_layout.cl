// Three-component vectors take the room of four: arrays of float3 and char3
// in memory, vload3 over packed data, cross products exact in integers.
//
// launch: -k geometry -g 5 -l 5 -a rand:5:101:-20:20 -a iota:5 -a iota:24 -a zero:5 -a zero:5 -a zero:10
// expect 3: -6 24.5 -12 -42 4.5 22 -162 -3.5 125 141 -127.5 1 348 -317.5 -3
// expect 4: 4 2 3 7 5 6 10 8 9 13 11 12 16 14 15
// expect 5: 0 1604 16 1604 32 1604 48 11604 64 11604

__kernel void geometry(__global const int3 *a, __global const float3 *b, __global const char *packed, __global float3 *crossed, __global char3 *tiny, __global int *meta)
{
    int i = get_global_id(0);
    float3 u = convert_float3(a[i]);
    float3 v = b[i];
    float3 c = cross(u, v);
    crossed[i] = c + (float3)(dot(u, c), 0.5f, dot(v, c));
    char3 t = vload3(i, packed + 3);
    tiny[i] = t.zxy - (char)1;
    meta[2 * i] = (int)((__global const char *)&b[i] - (__global const char *)b);
    meta[2 * i + 1] = sizeof(char3) + 100 * sizeof(float3) + 10000 * (int)(a[i].y > 0);
}
