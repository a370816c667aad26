// Each iteration reads what the one seven before it has written; the last launch has fewer than seven.
//
// launch: -k lag -g 1 -a rand:40:3104:0:999 -a 40
// expect 0: 250 151 660 729 646 750 623 85 136 471 799 436 801 557 299 416 361 1000 910 32 9 520 579 355 181 780
// expect 0: 476 44 118 953 509 285 993 460 89 14 286 840 602 73
// launch: -k lag -g 1 -a rand:8:3105:0:999 -a 5

__kernel void lag(__global int *a, int n)
{
    for (int i = 7; i < n; i++)
        a[i] = (a[i] ^ a[i - 7]) + 1;
}
