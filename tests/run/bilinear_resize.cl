// Enlarges a picture with bilinear weights in 8-bit fixed point.
//
// launch: -k resize -g 10,7 -l 5,7 -a 6 -a 4 -a rand:24:1031 -a zero:70
// expect 3: 65 108 133 85 90 177 162 78 129 216 128 123 113 80 80 130 133 105 144 200 191 138 93 75 70 83 105 132 158
// expect 3: 183 174 171 167 157 154 163 163 157 167 181 156 203 241 238 239 242 220 181 175 178 154 181 202 205 216
// expect 3: 239 198 113 139 194 152 158 164 172 193 235 175 45 103 209

__kernel void resize(int sw, int sh, __global const uchar *src, __global uchar *dst)
{
    uint x = get_global_id(0), y = get_global_id(1), dw = get_global_size(0), dh = get_global_size(1);
    uint fx = x * (sw - 1) * 256 / (dw - 1), fy = y * (sh - 1) * 256 / (dh - 1);
    uint x0 = fx >> 8, y0 = fy >> 8;
    uint x1 = min(x0 + 1, (uint)sw - 1), y1 = min(y0 + 1, (uint)sh - 1);
    uint ax = fx & 255, ay = fy & 255;
    uint upper = src[y0 * sw + x0] * (256 - ax) + src[y0 * sw + x1] * ax;
    uint lower = src[y1 * sw + x0] * (256 - ax) + src[y1 * sw + x1] * ax;
    dst[y * dw + x] = (upper * (256 - ay) + lower * ay + 32768) >> 16;
}
