// Six levels of mixed loops and conditions, with breaks that leave only the
// innermost one and a flag that unwinds them all.
//
// launch: -k deep -g 8 -l 2 -a 3 -a zero:8 -a zero:8
// expect 1: -1 737 2242 1435 3235 1481 3940 1435
// expect 2: 0 165 181 133 213 197 213 133

__kernel void deep(int n, __global int *out, __global int *depth)
{
    const int me = get_global_id(0);
    int s = 0, deepest = 0;
    bool stop = false;
    for (int a = 0; a < n && !stop; ++a) {
        if ((a + me) % 4 != 1) {
            int b = me;
            while (b > 0 && !stop) {
                for (int c = b; c < n + 2; c++) {
                    if (c == 2 && a == 1)
                        break;
                    int d = 0;
                    do {
                        d += 2;
                        if (d == c)
                            continue;
                        for (int e = d; e--;) {
                            if (e == 3)
                                break;
                            s += a + 2 * b + 3 * c + 4 * d + 5 * e;
                            deepest = max(deepest, a * 64 + b * 16 + c * 4 + e);
                            if (s > 4000) {
                                stop = true;
                                break;
                            }
                        }
                    } while (d < 5 && !stop);
                    if (stop)
                        break;
                }
                b -= 1 + (me & 1);
            }
        } else {
            s -= a;
        }
    }
    out[me] = s;
    depth[me] = deepest;
}
