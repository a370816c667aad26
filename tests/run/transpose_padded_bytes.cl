// Transposition through a padded tile, two rows per work-item, of a rectangle
// whose sides are no multiples of the tile; of bytes, shorts and words.
//
// launch: -k transpose -g 24,8 -l 8,4 -a rand:247:2081:0:255 -a zero:247 -a 19 -a 13 -D T=uchar
// expect 1: 77 213 200 247 29 85 195 23 204 120 213 131 65 129 209 50 189 194 179 138 97 14 137 144 186 243 61 144 104
// expect 1: 102 183 22 175 134 199 64 139 0 151 68 227 15 57 38 175 7 167 25 70 250 40 47 19 21 12 49 68 90 221 169 159
// expect 1: 179 182 160 30 152 45 61 97 48 137 218 243 247 138 130 171 11 10 190 108 89 152 248 50 77 80 83 87 75 11
// expect 1: 190 125 204 46 247 7 80 53 178 254 41 164 141 104 191 46 7 55 153 28 221 145 160 1 247 106 48 9 200 70 20
// expect 1: 71 245 165 25 221 204 157 240 66 124 223 22 111 5 1 212 67 107 249 11 251 111 65 238 203 85 9 75 49 124 201
// expect 1: 109 236 127 52 184 204 23 29 26 192 28 162 12 234 153 81 76 61 114 210 203 191 245 192 253 2 55 201 0 146
// expect 1: 255 115 141 50 131 252 111 143 85 157 22 198 164 161 113 181 201 12 93 225 143 244 204 26 20 112 112 25 242
// expect 1: 134 199 5 55 83 90 125 168 112 118 132 36 83 85 17 113 225 56 196 73 195 196 14 8 175 249 83 224 155 208
// expect 1: 249 103 165 72 221
// launch: -k transpose -g 8,12 -l 8,4 -a iota:85 -a zero:85 -a 5 -a 17 -D T=ushort
// expect 1: 0 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75 80 1 6 11 16 21 26 31 36 41 46 51 56 61 66 71 76 81 2 7 12 17
// expect 1: 22 27 32 37 42 47 52 57 62 67 72 77 82 3 8 13 18 23 28 33 38 43 48 53 58 63 68 73 78 83 4 9 14 19 24 29 34
// expect 1: 39 44 49 54 59 64 69 74 79 84
// launch: -k transpose -g 8,4 -l 8,4 -a iota:64 -a zero:64 -a 8 -a 8 -D T=uint
// expect 1: 0 8 16 24 32 40 48 56 1 9 17 25 33 41 49 57 2 10 18 26 34 42 50 58 3 11 19 27 35 43 51 59 4 12 20 28 36 44
// expect 1: 52 60 5 13 21 29 37 45 53 61 6 14 22 30 38 46 54 62 7 15 23 31 39 47 55 63
// launch: -k transpose -g 8,8 -l 8,4 -a iota:9 -a zero:9 -a 1 -a 9 -D T=long
// expect 1: 0 1 2 3 4 5 6 7 8

#define TILE 8
#define ROWS 4

__kernel void transpose(__global const T *in, __global T *out, int width, int height)
{
    __local T tile[TILE][TILE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (int j = ly; j < TILE; j += ROWS)
        if (left + lx < width && top + j < height)
            tile[j][lx] = in[(top + j) * width + left + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = ly; j < TILE; j += ROWS)
        if (top + lx < height && left + j < width)
            out[(left + j) * height + top + lx] = tile[lx][j];
}
