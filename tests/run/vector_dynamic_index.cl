// Components of private vectors reached through a pointer with an index known
// only at run time, and a vector built in a loop.
//
// launch: -k pick -g 8 -l 4 -a rand:8:1211:0:99 -a rand:8:1212:0:15 -a zero:8 -a zero:8
// expect 2: 240 2508 5829 7882 7826 577 3189 -3459
// expect 3: 29 0.5 29 10.5 39 2.5 31 12.5 37 1056.5 35 23.5 -982 1058.5 37 25.5 72.5 70.5 1077 34.5 10 72.5 1079 36.5
// expect 3: -44 65.5 100 1035.5 -44 67.5 102 1037.5 72 0.5 51 1073.5 74 2.5 53 1075.5 75 0.5 75 26.5 34 2.5 77 28.5
// expect 3: 92 1036.5 90 90.5 -985 1038.5 92 92.5 75.5 71.5 -1047 73.5 1066 73.5 -1045 75.5

__kernel void pick(__global const int4 *in, __global const uchar *index, __global int *out, __global float8 *built)
{
    int g = get_global_id(0);
    int4 v = in[g];
    int *p = (int *)&v;
    int k = index[g];
    p[k & 3] += 1000;
    p[(k >> 2) & 3] -= p[k & 1];
    out[g] = v.x + 3 * v.y + 5 * v.z + 7 * v.w;
    float8 f;
    for (int i = 0; i < 8; i++)
        ((float *)&f)[i] = i * 0.5f + p[i & 3];
    f.s0 = ((float *)&f)[7 - (k & 7)];
    built[g] = f;
}
