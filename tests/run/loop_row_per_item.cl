// Several work-items, each with a loop over a row of its own that depends on itself.
//
// launch: -k rows -g 8 -l 4 -a rand:64:3208:0:99 -a 8
// expect 0: -651 694 -366 898 -168 1084 -96 102 187 -138 457 96 601 291 -150 330 -492 558 -357 600 -357 741 -111
// expect 0: 900 -438 519 -372 633 -216 906 -99 116 -663 721 -408 940 -264 1126 -255 363 262 -240 469 -144 667 -54
// expect 0: 718 216 -774 790 -522 808 -360 982 -90 237 607 -591 619 -495 859 -255 886 3
// launch: -k rows -g 3 -l 1 -a rand:36:3209:0:99 -a 12
// expect 0: -1107 1155 -1026 1212 -936 1446 -651 707 -462 905 -282 995 -459 500 -420 635 -204 686 -201 755 -177 776
// expect 0: -18 34 214 -207 484 -186 535 57 661 168 -81 303 -66 552

__kernel void rows(__global int *m, int n)
{
    __global int *row = m + get_global_id(0) * n;
    for (int i = 1; i < n; i++)
        row[i] = (row[i] * 3 + row[i - 1]) % 1009;
    for (int i = n - 2; i >= 0; i--)
        row[i] -= row[i + 1];
}
