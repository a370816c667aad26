// Three by three points of a picture of bytes, with a halo in local memory that
// is as narrow as its elements; borders are mirrored.
//
// launch: -k gauss -g 24,12 -l 8,4 -a rand:187:2261 -a 17 -a 11 -a local:60 -a zero:187
// expect 4: 96 91 98 127 153 168 151 114 98 89 97 144 191 179 125 87 76 90 88 88 111 141 163 157 127 117 103 96 131 155
// expect 4: 146 130 96 70 123 113 88 93 121 140 142 124 128 118 90 105 108 108 145 134 99 166 155 120 103 109 110 120
// expect 4: 133 151 135 102 120 122 119 161 166 146 154 160 151 125 114 113 130 165 185 153 131 165 163 142 152 154 147
// expect 4: 120 129 141 132 126 139 148 158 163 144 146 170 167 145 141 140 131 100 104 127 143 140 149 145 128 131 154
// expect 4: 174 159 123 119 141 141 129 84 97 135 164 162 133 99 92 110 142 165 142 85 85 122 122 113 95 105 128 150
// expect 4: 153 110 78 101 112 103 108 103 72 79 113 104 87 163 153 139 127 124 113 111 156 154 105 91 93 88 106 131
// expect 4: 115 99 208 191 160 126 116 122 129 180 177 116 99 104 107 129 144 127 117
// launch: -k gauss -g 6,6 -l 3,3 -a rand:30:2262 -a 6 -a 5 -a local:25 -a zero:30
// expect 4: 122 106 111 117 104 107 114 103 107 115 122 136 137 114 97 114 142 158 160 125 91 109 137 148 154 122 92
// expect 4: 105 131 146
// launch: -k gauss -g 16,3 -l 16,1 -a rand:42:2263 -a 14 -a 3 -a local:54 -a zero:42
// expect 4: 80 93 93 100 147 155 131 131 141 162 166 136 135 149 82 106 117 107 135 153 143 138 132 137 139 125 116 114
// expect 4: 84 120 142 113 123 151 156 145 122 112 113 114 97 79

int mirror(int i, int n)
{
    return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

__kernel void gauss(__global const uchar *in, int width, int height, __local uchar *t, __global uchar *out)
{
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int w = get_local_size(0), h = get_local_size(1);
    const int left = get_group_id(0) * w - 1, top = get_group_id(1) * h - 1;
    for (int y = ly; y < h + 2; y += h)
        for (int x = lx; x < w + 2; x += w) {
            const int gx = min(left + x, width), gy = min(top + y, height);
            t[y * (w + 2) + x] = in[mirror(gy, height) * width + mirror(gx, width)];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = left + 1 + lx, y = top + 1 + ly;
    if (x < width && y < height) {
        uint sum = 8;
        for (int j = 0; j < 3; j++) {
            __local const uchar *row = t + (ly + j) * (w + 2) + lx;
            sum += (row[0] + 2 * row[1] + row[2]) << (j == 1);
        }
        out[y * width + x] = sum / 16;
    }
}
