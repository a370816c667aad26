// && and || whose right sides would read out of bounds or divide by zero when
// evaluated, and count how often they are evaluated.
//
// launch: -k guarded -g 14 -l 7 -a values:3,0,-2,8,100,1,0,6,-9,13,2,5,7,4 -a 14 -a zero:14 -a zero:14
// expect 2: 18 19 2 4 0 10 11 28 12 1 2 5 21 20
// expect 3: 5 4 5 5 6 6 5 6 6 7 5 5 5 5

static bool seen(int *count, bool value)
{
    ++*count;
    return value;
}

kernel void guarded(global const int *v, int n, global int *out, global int *calls)
{
    int i = get_global_id(0);
    int evaluated = 0;
    int x = v[i];
    int r = 0;
    if (x >= 0 && x < n && v[x] != 0 && 60 / v[x] > 7)
        r |= 1;
    if (x == 0 || i % x == 0)
        r |= 2;
    if ((seen(&evaluated, x > 3) && seen(&evaluated, x < 9)) || (seen(&evaluated, x & 1) && !seen(&evaluated, x > 0)))
        r |= 4;
    bool both = seen(&evaluated, i > 4) & seen(&evaluated, i < 9);
    bool either = i < 2 || seen(&evaluated, i > 11) || (i == 7 ? seen(&evaluated, true) : false);
    r |= both << 3 | either << 4;
    out[i] = r;
    calls[i] = evaluated;
}
