// The lower half of an array is computed from the upper half, at a constant and at a symbolic distance.
//
// launch: -k constant_half -g 1 -a rand:64:3113:0:999
// expect 0: 922 1632 369 2516 1291 1052 2369 896 1213 1764 1999 1258 373 1296 1882 2073 1797 1561 2045 1904 620
// expect 0: 1827 295 1309 1351 1474 1095 1826 789 2504 1681 2201 207 736 53 817 291 405 797 109 567 598 744 613 78
// expect 0: 469 587 849 768 637 685 760 68 799 102 569 208 573 547 420 168 953 773 970
// launch: -k symbolic_half -g 1 -a rand:50:3114:0:999 -a 25
// expect 0: 2823 1573 2311 1808 1309 2604 3263 1799 1542 1507 1217 2129 3009 2352 3083 2327 1891 2992 2549 2175
// expect 0: 1236 1516 3839 2484 665 856 219 462 540 166 810 829 496 433 244 286 459 974 671 985 443 486 986 570 501
// expect 0: 312 349 949 779 63

__kernel void constant_half(__global int *a)
{
    for (int i = 0; i < 32; i++)
        a[i] += 2 * a[i + 32];
}

__kernel void symbolic_half(__global int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += 3 * a[i + n];
}
