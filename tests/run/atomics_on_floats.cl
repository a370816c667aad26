// Greatest, least and sum of floats by loops of compare-and-exchange on their
// bits, and atomic_xchg of floats: what all exchanges returned, and what is left
// at the end, is what was put in. Halves are exact in any order.
//
// launch: -k floats -g 40 -l 10 -a rand:40:2411:-2000:2000 -a zero:4 -a values:4286578688
// expect 1: 722 -797 -559.5 -459.5 585.5 -939.5 -684 -584 999 -936.5 322 422 472 -992.5 -3693 -3593
// expect 2: 1148829696
// launch: -k floats -g 3 -l 1 -a rand:3:2412:-2000:2000 -a zero:3 -a values:4286578688
// expect 1: -708 -708 -708 -608 473.5 473.5 473.5 573.5 -546.5 -546.5 -546.5 -446.5
// expect 2: 1139589120
// launch: -k floats -g 64 -l 64 -a rand:64:2413:-2000:2000 -a zero:1 -a values:4286578688
// expect 1: 990.5 -993 -4174 -4074
// expect 2: 1148690432

void raise(volatile __local uint *bits, float x)
{
    uint old = atomic_or(bits, 0);
    while (as_float(old) < x) {
        const uint seen = atomic_cmpxchg(bits, old, as_uint(x));
        if (seen == old)
            break;
        old = seen;
    }
}

void add(volatile __local uint *bits, float x)
{
    uint expected, old = atomic_or(bits, 0);
    do {
        expected = old;
        old = atomic_cmpxchg(bits, expected, as_uint(as_float(expected) + x));
    } while (old != expected);
}

__kernel void floats(__global const short *in, __global float4 *out, volatile __global uint *top)
{
    __local uint most, negated_least, sum, returned;
    __local float cell;
    const int l = get_local_id(0);
    if (l == 0) {
        most = as_uint(-INFINITY);
        negated_least = as_uint(-INFINITY);
        sum = as_uint(0.0f);
        returned = as_uint(0.0f);
        cell = 100.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float x = in[get_global_id(0)] * 0.5f;
    raise(&most, x);
    raise(&negated_least, -x);
    add(&sum, x);
    add(&returned, atomic_xchg(&cell, x));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        const float best = as_float(most);
        out[get_group_id(0)] = (float4)(best, -as_float(negated_least), as_float(sum), as_float(returned) + cell);
        uint old = atomic_or(top, 0);
        while (as_float(old) < best) {
            const uint seen = atomic_cmpxchg(top, old, as_uint(best));
            old = seen == old ? as_uint(INFINITY) : seen;
        }
    }
}
