// Control flow that no structured statement makes: a jump into the middle of
// a loop, two loops that share a tail, and a switch wound around a do-while.
//
// launch: -k tangled -g 12 -l 4 -a iota:12 -a zero:12
// expect 1: 71717 32398 32298 72914 72814 43498 71723 72918 72818 71827 71727 72922
// launch: -k duff -g 10 -l 5 -a values:1,2,3,4,5,6,7,8,9,10,11,12 -a zero:10
// expect 1: 1 4 11 26 57 120 247 502 1013 2036

__kernel void tangled(__global const int *in, __global int *out)
{
    int i = get_global_id(0), x = in[i], n = 0;
    if (x & 1)
        goto middle;
top:
    n += 100;
    if (n > 700)
        goto tail;
    x += 3;
middle:
    n++;
    if (x % 5 == 0)
        goto second;
    x++;
    goto top;
second:
    n += 10;
    x -= 7;
    if (x > 0)
        goto middle;
    if (n < 300)
        goto top;
tail:
    out[i] = n * 100 + x;
}

__kernel void duff(__global const int *v, __global int *out)
{
    int count = get_global_id(0) + 1, sum = 0;
    __global const int *p = v;
    int trips = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { sum = sum * 2 + *p++;
    case 3:      sum = sum * 2 + *p++;
    case 2:      sum = sum * 2 + *p++;
    case 1:      sum = sum * 2 + *p++;
            } while (--trips > 0);
    }
    out[count - 1] = sum;
}
