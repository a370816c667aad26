__kernel void convolution(__global const int *restrict in, __global int *restrict out, __global const int *restrict filter,
                          int rows, int columns) {
    for (int r = 0; r < rows - 2; r++)
        for (int c = 0; c < columns - 2; c++) {
            int sum = 0;
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++) sum += filter[3 * y + x] * in[(r + y) * columns + c + x];
            out[r * columns + c] = sum;
        }
}
