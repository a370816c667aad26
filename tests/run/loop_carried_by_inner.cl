// Only the inner loop carries a dependence: each row by itself, from left to right.
//
// launch: -k rows -g 1 -a rand:48:3203:0:99 -a 6 -a 8
// expect 0: 46 126 195 238 261 355 388 475 57 131 184 229 315 397 451 543 61 128 157 222 256 281 331 384 24 24 119
// expect 0: 202 263 347 416 417 86 153 226 275 293 368 459 526 60 72 111 208 248 335 434 500

__kernel void rows(__global int *m, int rows, int columns)
{
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < columns; j++)
            m[i * columns + j] = (m[i * columns + j] + m[i * columns + j - 1]) & 1023;
}
