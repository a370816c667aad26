// Each work-item holds a block of results in a private array that lives across
// the barriers of the loop over tiles.
//
// launch: -k blocked -g 8,4 -l 4,4 -a rand:96:2071:-99:99 -a rand:192:2072:-99:99 -a zero:128 -a 16 -a 12
// expect 2: -3912 -14555 13257 13162 -6404 2840 585 -9524 576 11773 3485 3825 -2475 -14204 16258 5081 11070 -5261 1574
// expect 2: 22402 -14866 -5183 17538 -6267 5207 3650 5763 -2145 -2512 -5185 7736 -7002 12990 -11638 -10918 14769 16596
// expect 2: 4965 15025 -1933 3410 2235 -2713 -1320 11500 3582 2472 -2297 -18094 3267 9975 -15711 -35593 17131 3708
// expect 2: -8064 3289 3450 3365 695 -11920 -5096 742 -4547 1622 -16616 3722 2394 27436 -16651 7002 18856 -19587 17242
// expect 2: 4541 7868 -109 -2566 7400 -13345 5077 -2970 4707 -13603 -3919 14023 -1735 -24948 -12034 13698 -7376 6823
// expect 2: 15155 5710 -11317 -6150 4056 -4662 3396 22794 1002 1194 8290 -15729 -7008 4937 -5218 -1822 15203 -4628 -808
// expect 2: -11112 -5915 15089 17343 9572 -10451 6161 6737 -10564 -211 6867 -5121 -4807 -8637 -4301 -12591 13288
// launch: -k blocked -g 4,8 -l 4,4 -a rand:64:2073:-99:99 -a rand:32:2074:-99:99 -a zero:128 -a 8 -a 4
// expect 2: 4465 1294 8067 -11977 6756 -8042 10810 -1665 -3594 7600 288 -5920 1674 4462 -478 -4330 -12480 -3926 5203
// expect 2: -2337 -8030 10083 -3093 7798 -5715 -64 7940 -13035 375 -2782 7641 1140 -8288 -5116 -6762 9280 -9424 4296
// expect 2: -8238 3706 -9133 3256 -4394 1449 -5228 7650 -6539 -1068 1348 -9278 1123 4950 -3232 -4018 881 6147 -5507
// expect 2: 2576 -724 -7128 -653 -3767 2939 -3463 4356 -6570 -927 5217 -724 -5819 1125 2906 -7732 6344 8304 -10775 362
// expect 2: 11253 650 995 -663 -15450 -3363 9024 -7549 -10943 762 7460 3004 3860 10284 -15845 7759 -5927 11742 -2379
// expect 2: 8074 270 -7159 9755 2092 -2767 -3629 -2978 5185 13974 305 -2605 8005 10172 -3056 -7355 14088 10458 -3773
// expect 2: 1090 11314 -2710 925 -10021 -2508 9824 170 -1803 1821 12455 -5196 -3387

#define SIDE 4
#define PER 2

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void blocked(__global const int *a, __global const int *b, __global int *c, int n, int k)
{
    __local int as[SIDE * PER][SIDE], bs[SIDE][SIDE * PER];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int row = get_group_id(1) * SIDE * PER, column = get_group_id(0) * SIDE * PER;
    int sum[PER][PER] = { { 0 } };
    for (int base = 0; base < k; base += SIDE) {
        for (int p = 0; p < PER; p++) {
            as[ty + p * SIDE][tx] = a[(row + ty + p * SIDE) * k + base + tx];
            bs[ty][tx + p * SIDE] = b[(base + ty) * n + column + tx + p * SIDE];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < SIDE; i++) {
            int left[PER], right[PER];
            for (int p = 0; p < PER; p++) {
                left[p] = as[ty + p * SIDE][i];
                right[p] = bs[i][tx + p * SIDE];
            }
            for (int p = 0; p < PER; p++)
                for (int q = 0; q < PER; q++)
                    sum[p][q] += left[p] * right[q];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int p = 0; p < PER; p++)
        for (int q = 0; q < PER; q++)
            c[(row + ty + p * SIDE) * n + column + tx + q * SIDE] = sum[p][q];
}
