// A switch with fallthrough, a default in the middle and a shared label,
// driven by data; an inner switch on another expression.
//
// launch: -k decode -g 16 -a values:0,1,2,3,4,5,6,7,8,9,10,11,-1,100,2,7 -a zero:16
// expect 1: -7 11003 11002 30 36 5 11000 149 9 1 11000 11000 11000 1000 11002 149

int flags_of(int c)
{
    int r = 0;
    switch (c) {
    case 0:
        return -7;
    case 1:
        r += 1;
    case 2:
        r += 2;
        /* falls through */
    default:
        r += 1000;
        if (c == 100)
            break;
        r += 10000;
        break;
    case 3:
    case 4:
    case 5:
        switch (c % 3) {
        case 0: r = 30; break;
        case 1: r = 31;
        default: r += 5;
        }
        break;
    case 7:
        r = 70;
    case 8:
        r = r * 2 + 8;
    case 9:
        r++;
    }
    return r;
}

__kernel void decode(__global const int *in, __global int *out)
{
    int id = get_global_id(0);
    out[id] = flags_of(in[id]);
}
