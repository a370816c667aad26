// Loops whose trip count comes from memory and is often zero: a while, a for
// and a do-while nested, so that every combination of "not at all" occurs.
//
// launch: -k zero_trip -g 12 -l 4 -a values:0,1,2,0,3,0,0,5,1,4,0,2 -a values:0,0,1,3,2,0,1,0,4,2,2,3 -a zero:12
// expect 2: 100 100 110 100 149 100 100 98 203 149 100 213

__kernel void zero_trip(__global const int *outer, __global const int *inner, __global int *out)
{
    size_t id = get_global_id(0);
    int sum = 100;
    for (int i = 0; i < outer[id]; i++) {
        int j = inner[id];
        while (j > i) {
            sum += j * 10 + i;
            j--;
        }
        if (i & 1)
            continue;
        int k = 0;
        do {
            sum ^= k + i;
            k++;
        } while (k < inner[id] - 1);
    }
    out[id] = sum;
}
