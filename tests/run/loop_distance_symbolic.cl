// The distance between writer and reader is an argument: 0, 1, 3 and more than the loop has.
//
// launch: -k lag -g 1 -a rand:24:3106:0:99 -a 24 -a 0
// expect 0: 225 141 105 267 129 174 102 168 198 123 135 174 84 9 240 51 255 252 12 159 204 60 237 96
// launch: -k lag -g 1 -a rand:24:3106:0:99 -a 24 -a 1
// expect 0: 75 169 239 417 503 619 687 799 931 1013 1103 1219 1275 1281 1441 1475 1645 1813 1821 1927 2063 2103
// expect 0: 2261 2325
// launch: -k lag -g 1 -a rand:24:3106:0:99 -a 24 -a 3
// expect 0: 75 47 35 253 133 151 321 245 283 403 335 399 459 341 559 493 511 727 501 617 863 541 775 927
// launch: -k lag -g 1 -a rand:24:3106:0:99 -a 24 -a 30

__kernel void lag(__global int *a, int n, int k)
{
    for (int i = k; i < n; i++)
        a[i] = a[i] * 2 + a[i - k];
}
