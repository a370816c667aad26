// What a loop has stored until it ended by a value that it has loaded, read behind a fence and behind a barrier.
//
// launch: -k sums -g 1 -a rand:32:77:1:9 -a 40 -a zero:32 -a zero:4
// expect 2: 1007 1008 1009 1018 1025 1033 40 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 3: 7 42 4 6
// launch: -k sums -g 1 -a rand:32:77:1:9 -a 200 -a zero:32 -a zero:4
// expect 2: 1007 1008 1009 1018 1025 1033 1040 1049 1051 1057 1061 1064 1068 1077 1085 1089 1096 1103 1111 1116 1123 1127 1130 1132 1138 1143 1150 1152 1155 1159 1168 174
// expect 3: 32 652 15 31
// launch: -k sums -g 1 -a rand:32:77:1:9 -a 3 -a zero:32 -a zero:4
// expect 2: 7 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 3: 1 0 0 0

__kernel void sums(__global const int *x, int stop, __global int *y, __global int *out)
{
    int sum = 0, i = 0;
    do {
        sum += x[i];
        y[i++] = sum;
    } while (sum < stop && i != 32);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    int half_sum = 0, j = 0;
    while (j < i && y[j] * 2 < sum)
        half_sum += y[j++];
    barrier(CLK_GLOBAL_MEM_FENCE);
    int k = 0;
    while (y[k] != sum)
        y[k++] += 1000;
    out[0] = i;
    out[1] = half_sum;
    out[2] = j;
    out[3] = k;
}
