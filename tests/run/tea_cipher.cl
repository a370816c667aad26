// TEA encryption and decryption of pairs of words; decrypting restores the
// input when the same buffer is passed for both.
//
// launch: -k encrypt -g 6 -l 3 -a rand:6:1061 -a 1,2,3,0xdeadbeef -a zero:6
// expect 2: 2722127128 3495865281 3155288981 133136114 1785476029 2079324193 99291218 746554023 3120545655 1185068037
// expect 2: 1856607417 201111987
// launch: -k round_trip -g 4 -l 2 -a iota:4 -a 1,2,3,4 -a zero:4
// expect 2: 1167274970 2656611200 0 1 1764967771 2907281201 2 3 2279672405 1757459866 4 5 2013542669 2430149425 6 7

uint2 encipher(uint2 v, uint4 k)
{
    uint sum = 0;
    for (int i = 0; i < 32; i++) {
        sum += 0x9e3779b9;
        v.x += ((v.y << 4) + k.x) ^ (v.y + sum) ^ ((v.y >> 5) + k.y);
        v.y += ((v.x << 4) + k.z) ^ (v.x + sum) ^ ((v.x >> 5) + k.w);
    }
    return v;
}

uint2 decipher(uint2 v, uint4 k)
{
    for (uint sum = 0xc6ef3720; sum; sum -= 0x9e3779b9) {
        v.y -= ((v.x << 4) + k.z) ^ (v.x + sum) ^ ((v.x >> 5) + k.w);
        v.x -= ((v.y << 4) + k.x) ^ (v.y + sum) ^ ((v.y >> 5) + k.y);
    }
    return v;
}

__kernel void encrypt(__global const uint2 *plain, uint4 key, __global uint2 *out)
{
    size_t i = get_global_id(0);
    out[i] = encipher(plain[i], key);
}

__kernel void round_trip(__global const uint2 *plain, uint4 key, __global uint4 *out)
{
    size_t i = get_global_id(0);
    uint2 c = encipher(plain[i], key + (uint)i);
    out[i] = (uint4)(c, decipher(c, key + (uint)i));
}
