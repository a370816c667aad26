// Transposition by one work-item: out of place, and of a square in place.
//
// launch: -k transpose -g 1 -a rand:40:3223:0:999 -a zero:40 -a 5 -a 8
// expect 1: 925 959 574 297 742 473 309 4 616 604 859 84 980 481 45 468 301 215 434 488 930 36 100 443 566 661 642
// expect 1: 263 322 491 652 999 226 417 690 431 938 342 174 759
// launch: -k in_place -g 1 -a rand:36:3224:0:999 -a 6
// expect 0: 689 673 639 655 514 541 698 976 703 204 585 151 909 660 397 976 459 155 59 85 84 191 2 911 901 605 164
// expect 0: 13 807 942 828 463 373 207 817 555

__kernel void transpose(__global const int *a, __global int *b, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            b[j * rows + i] = a[i * columns + j];
}

__kernel void in_place(__global int *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int t = a[i * n + j];
            a[i * n + j] = a[j * n + i];
            a[j * n + i] = t;
        }
}
