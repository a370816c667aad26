// Structs in local memory with members of one to eight bytes and a vector: their
// parts are written by different work-items, and they are put in order by rank.
//
// launch: -k rank -g 27 -l 9 -a rand:27:2341:1:9 -a rand:27:2342:-100:100 -a zero:27
// expect 2: 3 -36 -108 2574 4 31 124 6435 4 51 204 9009 5 -100 -500 3861 7 -67 -469 5148 7 80 560 10296 8 44 352 0 8 59
// expect 2: 472 1287 8 37 296 7722 1 95 95 0 2 -42 -84 10296 3 33 99 5148 7 74 518 1287 7 -39 -273 7722 7 9 63 9009 8
// expect 2: -93 -744 2574 8 -51 -408 6435 9 67 603 3861 3 61 183 6435 4 -49 -196 1287 5 67 335 2574 5 -94 -470 10296 6
// expect 2: -94 -564 0 7 24 168 5148 8 31 248 9009 9 3 27 3861 9 -28 -252 7722
// launch: -k rank -g 48 -l 48 -a rand:48:2343:1:9 -a rand:48:2344:-100:100 -a zero:48
// expect 2: 1 -60 -60 2574 1 -80 -80 30888 1 23 23 32175 1 12 12 36036 2 73 146 9009 2 4 8 23166 2 52 104 25740 3 21 63
// expect 2: 7722 3 -64 -192 11583 3 -16 -48 52511 4 69 276 5148 4 -62 -248 18018 4 -31 -124 33462 4 77 308 39897 4 -24
// expect 2: -96 42471 4 41 164 43758 4 80 320 46332 4 83 332 47363 4 -80 -320 60233 5 -86 -430 24453 5 -2 -10 51224 5
// expect 2: 27 135 56372 6 100 600 6435 6 -50 -300 20592 6 16 96 29601 6 -54 -324 41184 6 40 240 45045 6 -62 -372 55085
// expect 2: 6 16 96 58946 7 -34 -238 3861 7 63 441 10296 7 -97 -679 12870 7 64 448 14157 7 -6 -42 15444 7 70 490 38610
// expect 2: 8 29 232 1287 8 -33 -264 19305 8 90 720 21879 8 84 672 28314 8 20 160 37323 8 -19 -152 48650 8 -59 -472
// expect 2: 49937 8 -9 -72 53798 8 -9 -72 57659 9 93 837 0 9 -14 -126 16731 9 -8 -72 27027 9 -91 -819 34749
// launch: -k rank -g 2 -l 1 -a rand:2:2345:1:9 -a rand:2:2346:-100:100 -a zero:2
// expect 2: 1 -73 -73 0 3 4 12 0

typedef struct {
    uchar mass;
    uchar tag;
    short speed;
    int charge;
    int2 place;
    long momentum;
} Body;

__kernel void rank(__global const uchar *mass, __global const short *speed, __global int4 *out)
{
    __local Body body[48];
    __local Body sorted[48];
    const int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), base = g - l;
    const int next = (l + 1) % n;
    body[l].mass = mass[g];
    body[next].tag = next * 7;
    body[n - 1 - l].charge = (n - 1 - l) * 5;
    body[next].speed = speed[base + next];
    body[n - 1 - l].place = (int2)(n - 1 - l, -1);
    barrier(CLK_LOCAL_MEM_FENCE);
    body[l].momentum = (long)body[l].mass * body[l].speed;
    int before = 0;
    for (int i = 0; i < n; i++)
        before += body[i].mass < body[l].mass || (body[i].mass == body[l].mass && i < l);
    body[l].place.y = before;
    barrier(CLK_LOCAL_MEM_FENCE);
    const Body other = body[next];
    sorted[other.place.y] = other;
    barrier(CLK_LOCAL_MEM_FENCE);
    const Body mine = sorted[l];
    out[g] = (int4)(mine.mass, mine.speed, (int)mine.momentum, mine.tag + 256 * mine.charge);
}
