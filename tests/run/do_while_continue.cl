// continue inside do-while jumps to the condition, not to the top; the
// condition has a side effect.
//
// launch: -k steps -g 16 -l 4 -a values:27,1,97,6,0,31,8,255,12,77,3,1000,64,5,19,40 -a zero:16 -a zero:16
// expect 1: 1400 25 1500 617 124 1400 322 1600 716 1603 518 1600 619 420 1405 717
// expect 2: 11 0 10 2 0 11 0 9 2 6 2 9 0 1 6 1

__kernel void steps(__global const uint *start, __global int *even, __global int *odd)
{
    int i = get_global_id(0);
    uint x = start[i];
    int evens = 0, odds = 0;
    int limit = 25;
    do {
        if (x % 2 == 0) {
            x /= 2;
            evens++;
            continue;
        }
        if (x == 1)
            break;
        x = 3 * x + 1;
        odds++;
    } while (--limit && x != 0);
    even[i] = evens * 100 + limit;
    odd[i] = odds;
}
