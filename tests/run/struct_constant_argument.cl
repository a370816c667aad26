// A constant argument of structs, walked in both directions by pointers whose
// differences and order decide; nested arrays and pointers to their middle.
//
// launch: -k path -g 6 -l 2 -a words:1,0,0x75630022,0x707a002e,5,2,0x6763001f,0x62680035,0xfffffffe,0,0x63640005,0x77690004,1,0,0x6a6a004d,0x66690044,5,6,0x6164003b,0x6877000e,0xfffffffe,0,0x73680059,0x6162000a,1,0,0x74750052,0x65690012 -a 7 -a values:0,3,6,2,5,1 -a zero:6 -a zero:6
// expect 3: 1756 1560 18 1504 1560 1560
// expect 4: 3094744020 309704122 112 2719140231 598069313 3266108024

enum move { STAY, NEXT, BACK = -2, JUMP = 5 };

typedef struct {
    enum move move;
    int target;
    struct {
        short cost;
        char name[2];
    } edges[2];
} state;

static int cheapest(__constant state *s)
{
    return s->edges[0].cost <= s->edges[1].cost ? 0 : 1;
}

__kernel void path(__constant state *states, int count, __global const int *starts, __global int *costs,
                   __global uint *names)
{
    int g = get_global_id(0);
    __constant state *first = states, *end = states + count, *s = &first[starts[g]];
    int cost = 0;
    uint name = 0;
    for (int k = 0; k < 12 && s >= first && s < end; k++) {
        int edge = cheapest(s);
        cost += s->edges[edge].cost * (int)(end - s);
        __constant char *letters = s->edges[edge].name;
        name = name * 31 + letters[k & 1];
        switch (s->move) {
        case STAY: k = 12; break;
        case NEXT: s++; break;
        case BACK: s += BACK; break;
        case JUMP: s = end - s->target; break;
        }
    }
    costs[g] = cost;
    names[g] = name + (uint)(s - first);
}
