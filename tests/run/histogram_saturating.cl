// A histogram whose bins saturate at 255: compare-and-exchange on local
// words that pack four bins each, merged into global bins by one work-item.
//
// launch: -k saturating -g 512 -l 64 -a rand:512:811:0:200 -a zero:16
// expect 1: 102 101 97 102 0 0 0 0 0 0 0 0 51 55 4 0
// launch: -k saturating -g 512 -l 256 -a rand:512:811:0:39 -a zero:16
// expect 1: 510 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0

void bump(volatile __local uint *word, uint lane)
{
    uint old, value;
    do {
        old = atomic_or(word, 0);
        uint bin = (old >> (8 * lane)) & 255;
        if (bin == 255)
            return;
        value = old + (1u << (8 * lane));
    } while (atomic_cmpxchg(word, old, value) != old);
}

__kernel void saturating(__global const uchar *in, __global uint *out)
{
    __local uint packed[4];
    int l = get_local_id(0);
    if (l < 4)
        packed[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar v = in[get_global_id(0)];
    uint bin = v < 160 ? v / 40 : 4 + v / 20;
    bin &= 15;
    bump(&packed[bin / 4], bin % 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&out[l], (packed[l / 4] >> (8 * (l % 4))) & 255);
}
