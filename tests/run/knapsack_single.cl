// The knapsack problem by one work-item in one row, each object once from above and often from below.
//
// launch: -k knapsack -g 1 -a values:5,3,4,2,7 -a values:60,31,45,12,80 -a zero:16 -a zero:16
// expect 2: 0 0 12 31 45 60 60 80 91 105 111 125 140 140 156 171
// expect 3: 0 0 12 31 45 60 62 80 91 105 120 125 140 151 165 180

__kernel void knapsack(__global const int *weight, __global const int *value, __global int *once, __global int *often)
{
    for (int o = 0; o < 5; o++) {
        int w = weight[o], v = value[o];
        for (int c = 15; c >= w; c--)
            once[c] = max(once[c], once[c - w] + v);
        for (int c = w; c < 16; c++)
            often[c] = max(often[c], often[c - w] + v);
    }
}
