// Insertion sort in private memory: an inner loop with two conditions.
//
// launch: -k sort -g 3 -l 3 -a rand:36:3222:-99:99
// expect 0: -89 -87 -36 -23 -10 -9 -8 5 58 67 77 88 -93 -58 -55 -53 -49 -9 14 37 62 73 73 95 -78 -71 -65 -25 -23
// expect 0: -20 22 26 32 67 68 96

__kernel void sort(__global int *a)
{
    int t[12];
    __global int *mine = a + get_global_id(0) * 12;
    for (int i = 0; i < 12; i++) {
        int v = mine[i];
        int j = i;
        while (j > 0 && t[j - 1] > v) {
            t[j] = t[j - 1];
            j--;
        }
        t[j] = v;
    }
    for (int i = 0; i < 12; i++)
        mine[i] = t[i];
}
