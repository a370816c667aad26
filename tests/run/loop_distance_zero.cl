// A loop that reads and writes each element in the same iteration only, twice.
//
// launch: -k each -g 1 -a rand:40:3101:-99:99 -a 40
// expect 0: 162 -142 58 90 218 -212 -206 272 168 -174 34 250 -168 -172 112 -6 242 -206 -180 -24 -188 66 -136 -110
// expect 0: -156 192 -218 -318 -254 -266 226 130 190 -90 -154 226 2 254 -208 180
// launch: -k each -g 1 -a rand:5:3102:-99:99 -a 0

__kernel void each(__global int *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] * 3 - i;
        if (a[i] & 1)
            a[i] ^= 0x55;
    }
}
