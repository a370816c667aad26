// Steps of three: neighbours never meet, the element six further on does after two iterations.
//
// launch: -k thirds -g 1 -a rand:48:3109:0:99 -a 40
// expect 0: 31 95 96 39 42 43 139 53 54 142 69 70 334 23 24 353 7 8 690 70 71 736 35 36 1471 35 36 1568 33 34 3005
// expect 0: 51 52 3224 61 62 6097 30 31 6449 85 86 12274 7 19 12967 79 87

__kernel void thirds(__global int *a, int n)
{
    for (int i = 0; i < n; i += 3) {
        a[i + 6] += a[i] * 2;
        a[i + 1] = a[i + 2] - 1;
    }
}
