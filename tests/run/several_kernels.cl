// Three kernels in one file share a helper and a constant; each launch picks
// one.
//
// launch: -k encrypt -g 8 -l 4 -a iota:8 -a 77
// expect 0: 169 138 235 204 45 14 111 80
// launch: -k decrypt -g 8 -l 2 -a values:77,76,79,78,73,72,75,74 -a 77
// expect 0: 39 23 39 23 103 87 103 87
// launch: -k count -g 4 -a rand:32:311:0:3 -a zero:4
// expect 1: 1000 1202 404 606

constant uchar spin = 5;

uchar turn(uchar c, int by)
{
    return (uchar)(c << (by & 7) | c >> ((8 - by) & 7));
}

kernel void encrypt(global uchar *text, uchar key)
{
    size_t i = get_global_id(0);
    text[i] = turn(text[i] ^ key, spin) + i;
}

kernel void decrypt(global uchar *text, uchar key)
{
    size_t i = get_global_id(0);
    text[i] = turn(text[i] - i, -spin) ^ key;
}

kernel void count(global const uchar *v, global uint *out)
{
    uint me = get_global_id(0), n = 0;
    for (int i = 0; i < 32; i++)
        n += v[i] == me;
    out[me] = n * 100 + turn(me, 1);
}
