// Gauss-Seidel sweeps are sequential in a row; each work-item owns a row and
// the group proceeds in a wavefront, one barrier per anti-diagonal.
//
// launch: -k seidel -g 6 -l 6 -a 8 -a rand:64:501:0:255
// expect 1: 195 114 211 199 182 93 191 163 195 128 144 175 148 143 118 231 120 131 125 145 139 140 141 3 230 124 102
// expect 1: 130 126 126 123 186 175 121 93 108 133 138 136 113 200 84 79 105 137 140 132 54 9 115 128 133 151 174 146
// expect 1: 194 131 239 190 150 250 220 247 22

__kernel void seidel(int n, __global int *a)
{
    int row = get_local_id(0) + 1;
    for (int wave = 0; wave < 2 * n; wave++) {
        int col = wave - 2 * (row - 1) + 1;
        if (col >= 1 && col < n - 1) {
            int s = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    s += a[(row + dy) * n + col + dx];
            a[row * n + col] = s / 9;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
