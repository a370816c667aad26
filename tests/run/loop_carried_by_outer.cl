// Only the outer loop carries a dependence: each row is computed from the one above, element by element.
//
// launch: -k rows -g 1 -a rand:48:3202:0:99 -a 6 -a 8
// expect 0: 44 30 67 23 80 52 2 52 42 66 17 91 -22 132 84 20 112 52 169 -23 166 -40 66 128 -102 -2 27 85 -164 162
// expect 0: 34 -100 282 78 161 -81 324 -84 108 284 -118 92 -133 231 -200 160 -88 -266

__kernel void rows(__global int *m, int rows, int columns)
{
    for (int i = 1; i < rows; i++)
        for (int j = 0; j < columns; j++)
            m[i * columns + j] = m[i * columns + j] * 2 - m[(i - 1) * columns + j];
}
