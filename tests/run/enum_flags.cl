// Enumerations with negative, large and repeated values, as flags, as indices, in
// private, local and global memory, in structs and as results of functions.
//
// launch: -k classify -g 10 -l 5 -a values:-5,0,3,17,-2147483648,2147483647,255,256,-1,64 -a zero:10 -a zero:10
// expect 1: 1 102 1126 5 1073741830 1126 27 1073741830 27 1073741941
// expect 2: 0 1 1 4294967295 4294967295 1 1 4294967295 1 1

enum sign { MINUS = -1, ZERO, PLUS };
enum size { TINY = 1, SMALL = 1 << 4, LARGE = 1 << 30, SAME = SMALL };
typedef enum { RED, GREEN, BLUE, COLOURS } colour;

struct verdict {
    enum sign sign;
    enum size sizes[2];
    colour colour;
};

enum sign sign_of(int x)
{
    return x < 0 ? MINUS : x > 0 ? PLUS : ZERO;
}

colour mixed(colour a, colour b)
{
    return (colour)((a + b) % COLOURS);
}

__kernel void classify(__global const int *in, __global int *out, __global enum sign *signs)
{
    __local colour chosen[5];
    __local struct verdict verdicts[5];
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int x = in[g];
    const colour wheel[COLOURS + 1] = { BLUE, GREEN, RED, GREEN };
    chosen[l] = wheel[(uint)x % (COLOURS + 1)];
    verdicts[l].sign = sign_of(x);
    verdicts[l].sizes[0] = x >= -16 && x < 16 ? TINY : SMALL;
    verdicts[l].sizes[1] = (enum size)((x & LARGE) | (x & SAME));
    barrier(CLK_LOCAL_MEM_FENCE);
    struct verdict other = verdicts[(l + 1) % n];
    other.colour = mixed(chosen[l], chosen[(l + 2) % n]);
    signs[g] = other.sign;
    int count = 0;
    for (colour c = RED; c < COLOURS; c++)
        count = count * 10 + (c == other.colour) + (c == chosen[l]);
    out[g] = count * other.sign + (other.sizes[0] | other.sizes[1]) + 1000 * (other.sizes[1] == SMALL);
}
