// Fourier transform over the integers modulo 257 in local memory: bit-reversed
// loads, then a butterfly per work-item and stage; forward and back.
//
// launch: -k transform -g 24 -l 8 -a rand:48:2481:0:256 -a 249 -a 1 -a zero:48
// expect 3: 224 38 236 131 152 78 99 27 50 220 122 95 207 62 128 127 169 92 141 72 76 28 52 63 154 146 31 88 222 51 204
// expect 3: 130 121 121 114 199 152 237 124 244 126 20 119 43 220 193 102 21
// launch: -k transform -g 32 -l 32 -a rand:64:2482:0:256 -a 81 -a 1 -a zero:64
// expect 3: 249 171 127 71 130 33 210 78 137 57 17 251 126 19 107 23 63 1 165 145 103 11 146 227 11 57 208 228 99 102
// expect 3: 108 88 37 246 142 18 14 190 38 116 103 191 29 65 43 187 13 83 252 224 245 76 4 131 247 249 120 94 207 9 224
// expect 3: 149 110 234
// launch: -k transform -g 32 -l 32 -a rand:64:2483:0:256 -a 165 -a 253 -a zero:64
// expect 3: 164 64 52 97 239 95 184 75 140 146 173 132 50 141 96 42 19 254 229 135 117 188 208 234 56 177 69 115 171
// expect 3: 120 153 210 13 43 197 128 101 157 14 70 75 109 101 59 23 22 249 146 6 27 66 6 245 163 192 91 111 128 201 33
// expect 3: 156 169 14 207
// launch: -k transform -g 5 -l 1 -a rand:10:2484:0:256 -a 256 -a 1 -a zero:10
// expect 3: 103 139 217 117 25 103 164 29 111 129

#define PRIME 257u

uint power(uint base, uint exponent)
{
    uint result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % PRIME;
        base = base * base % PRIME;
    }
    return result;
}

uint reversed(uint i, uint n)
{
    uint r = 0;
    for (uint bit = 1; bit < n; bit <<= 1)
        r = r << 1 | ((i & bit) != 0);
    return r;
}

__kernel void transform(__global const ushort *in, uint root, uint scale, __global ushort *out)
{
    __local ushort t[128];
    const uint l = get_local_id(0), half_size = get_local_size(0), n = 2 * half_size;
    const uint base = get_group_id(0) * n;
    for (uint k = l; k < n; k += half_size)
        t[reversed(k, n)] = in[base + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint span = 1; span < n; span *= 2) {
        const uint j = l % span, i = (l / span) * 2 * span + j;
        const uint twisted = t[i + span] * power(root, j * (n / (2 * span))) % PRIME;
        const uint plain = t[i];
        t[i] = (plain + twisted) % PRIME;
        t[i + span] = (plain + PRIME - twisted) % PRIME;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = l; k < n; k += half_size)
        out[base + k] = t[k] * scale % PRIME;
}
