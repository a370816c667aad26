// Four nested loops with bounds from each other and sums at every level.
//
// launch: -k deep -g 1 -a zero:4 -a 4
// expect 0: 6 25 0 56

__kernel void deep(__global int *out, int n)
{
    int a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < n; i++) {
        a += i;
        for (int j = i; j < n; j++) {
            b += i * j;
            for (int k = 0; k <= j - i; k++) {
                c ^= i + 2 * j + 3 * k;
                for (int l = k; l > 0; l -= 2)
                    d += l * (c & 7);
            }
        }
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}
