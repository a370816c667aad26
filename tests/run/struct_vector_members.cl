// Structs with vectors of every kind as members, three-component ones among them, in
// global, local and private memory; their lanes are swizzled in place.
//
// launch: -k turn -g 4 -l 2 -a words:11656475,22479510,0,0,1095237632,3234332672,1069547520,0,596666851,0,894217703,1,1859295716,673150767,172670,0,6807778,47383479,0,0,3238526976,3238002688,1093926912,0,370201966,0,240543335,1,499712855,3894695961,637204,0,869613,12976659,0,0,1094451200,3231711232,3231711232,0,901387526,0,86966434,1,493197282,3366998052,927165,0,4923759,54329346,0,0,1082130432,1092091904,1096024064,0,569457404,0,812291683,1,3276709189,3115885332,57000,0 -a zero:4 -a zero:4
// expect 0: 11656475 84804969 0 0 1095237632 3234332672 1069547520 0 4165308665 0 370201966 0 2580716004 673017347
// expect 0: 4120 0 6807778 90768654 0 0 3238526976 3238002688 1093926912 0 297550852 1 596666851 0 63505239
// expect 0: 3899530649 4294963048 0 869613 13108560 0 0 1094451200 3231711232 3231711232 0 242834279 1 569457404 0
// expect 0: 2540017634 3368230301 4294963096 0 4923759 89129160 0 0 1082130432 1092091904 1096024064 0 3480546204 0
// expect 0: 901387526 0 2639174981 3105735575 4294966373 0
// expect 1: 10806416 10806416 10806416 10806416
// expect 2: -8.5 -3.125 6.25 1385 12.5 -4 -4.25 1294 4 -2.5 5.875 1360 11.75 4.75 2 200

typedef struct {
    uchar3 colour;
    short2 at;
    float3 force;
    long2 wide;
    char8 bytes;
    int last;
} body;

__kernel void turn(__global body *bodies, __global int *offsets, __global float4 *out)
{
    __local body shared[2];
    int l = get_local_id(0), g = get_global_id(0);
    shared[l] = bodies[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    body mine = shared[1 - l];
    mine.colour.xz = mine.colour.zy;
    mine.force.zy = shared[l].force.xy * 0.5f;
    mine.wide.hi -= mine.wide.lo;
    mine.bytes.even = shared[l].bytes.odd;
    __global body *b = &bodies[g];
    b->at += mine.at.yx;
    b->wide = mine.wide.yx;
    b->bytes.s3456 = mine.bytes.lo;
    b->last = mine.bytes.s6 * mine.colour.s0;
    out[g] = (float4)(mine.force, (float)b->at.x);
    offsets[g] = (int)((__global char *)&b->force - (__global char *)b) + 100 * (int)sizeof(body)
        + 100000 * (int)((__local char *)&shared[1].bytes - (__local char *)&shared[0].at);
}
