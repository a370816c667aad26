// Small tables that a work-item reads several times at places that are always the same: 2, 5 and 16 loads,
// from buffers of one element, of odd sizes, and of sizes that are no multiple of a line.
//
// launch: -k fir2 -g 24 -l 8 -a rand:25:11:-100:100 -a rand:2:12:-50:50 -a zero:24
// expect 2: -2068 -892 1986 -1864 982 1658 1296 710 592 -2040 1398 66 -2178 -58 740 -960 -1664 -1120 -1780
// expect 2: -1874 -888 -430 568 -2000
// launch: -k fir5 -g 40 -l 8 -a rand:44:12:-100:100 -a rand:5:13:-50:50 -a zero:40
// expect 2: -866 -2785 1563 5358 -3719 486 1859 -6059 3130 4574 -839 -9504 367 5578 2877 -1985 -1716 4968
// expect 2: 1806 -416 -2083 299 5786 -3650 -3813 6192 548 3887 -1410 -2438 3323 1712 -4772 -1802 -2627 1817
// expect 2: 4812 -5933 -769 8496
// launch: -k fir16 -g 48 -l 16 -a rand:63:13:-100:100 -a rand:16:14:-50:50 -a zero:48
// expect 2: -12564 -6248 -17428 -1311 -2992 -10755 740 30 -5705 -7686 -2571 5081 -8783 -10133 -5865 99 -10738
// expect 2: 3822 -5020 1205 -4281 5484 -4311 -5510 6699 -11423 -1806 8770 -9437 495 -4176 -1934 -473 -7575
// expect 2: 9664 -460 -797 1723 7849 -8659 6902 5785 -5753 2742 -12104 3358 3191 2254
// launch: -k scaled -g 20 -l 4 -a rand:20:21:-1000:1000 -a values:-3 -a zero:20
// expect 2: -1937 1498 -2858 -2216 -2732 49 2533 -1760 595 1264 -2378 103 -1298 1735 1816 346 -410 -2048 -344
// expect 2: -1331

__kernel void fir2(__global const int *x, __global const int *h, __global int *y)
{
    int i = get_global_id(0);
    y[i] = x[i + 0] * h[0] + x[i + 1] * h[1];
}

__kernel void fir5(__global const int *x, __global const int *h, __global int *y)
{
    int i = get_global_id(0);
    y[i] = x[i + 0] * h[0] + x[i + 1] * h[1] + x[i + 2] * h[2] + x[i + 3] * h[3] + x[i +
           4] * h[4];
}

__kernel void fir16(__global const int *x, __global const int *h, __global int *y)
{
    int i = get_global_id(0);
    y[i] = x[i + 0] * h[0] + x[i + 1] * h[1] + x[i + 2] * h[2] + x[i + 3] * h[3] + x[i +
           4] * h[4] + x[i + 5] * h[5] + x[i + 6] * h[6] + x[i + 7] * h[7] + x[i + 8] *
           h[8] + x[i + 9] * h[9] + x[i + 10] * h[10] + x[i + 11] * h[11] + x[i + 12] *
           h[12] + x[i + 13] * h[13] + x[i + 14] * h[14] + x[i + 15] * h[15];
}

// The table has one element.
__kernel void scaled(__global const int *x, __global const int *factor, __global int *y)
{
    int i = get_global_id(0);
    y[i] = x[i] * factor[0] + (factor[0] >> 1);
}
