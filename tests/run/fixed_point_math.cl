// Q16.16 arithmetic: product with rounding, quotient, square root by
// bits, sine by a CORDIC with a constant table of angles.
//
// launch: -k fixed_ops -g 8 -l 4 -a values:65536,98304,-131072,32768,205887,1000000,-7,65535 -a values:32768,-65536,49152,3,131072,4096,65536,-65536 -a zero:32
// expect 2: 32768 131072 65536 31419 -98304 -98304 80264 -55144 -98304 -174762 92681 44671 2 715827882 46340 6 411774
// expect 2: 102943 116159 27272 62500 16000000 256000 4096 -7 -7 677 55145 -65535 -65535 65535 -55144

__constant int angles[16] = { 51472, 30386, 16055, 8150, 4091, 2047, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2 };

int fx_mul(int a, int b) { return (int)(((long)a * b + 0x8000) >> 16); }
int fx_div(int a, int b) { return (int)(((long)a << 16) / b); }

uint fx_sqrt(uint x)
{
    ulong n = (ulong)x << 16;
    uint r = 0;
    for (int bit = 23; bit >= 0; bit--) {
        uint t = r | 1u << bit;
        if ((ulong)t * t <= n)
            r = t;
    }
    return r;
}

int fx_sin(int angle)
{
    int x = 39797, y = 0, z = angle % 102944;
    for (int k = 0; k < 16; k++) {
        int dx = y >> k, dy = x >> k;
        if (z >= 0) {
            x -= dx;
            y += dy;
            z -= angles[k];
        } else {
            x += dx;
            y -= dy;
            z += angles[k];
        }
    }
    return y;
}

__kernel void fixed_ops(__global const int *a, __global const int *b, __global int *out)
{
    int i = get_global_id(0);
    __global int *o = out + 4 * i;
    o[0] = fx_mul(a[i], b[i]);
    o[1] = fx_div(a[i], b[i]);
    o[2] = fx_sqrt(abs(a[i]));
    o[3] = fx_sin(b[i]);
}
