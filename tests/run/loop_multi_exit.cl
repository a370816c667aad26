// A search with four ways out of two nested loops: found, sentinel, budget
// spent, rows exhausted; the reason of leaving is part of the result.
//
// launch: -k scan_rows -g 16 -l 8 -a rand:64:7:0:15 -a 8 -a zero:16 -a zero:16
// expect 2: 202 5 2 402 601 202 600 0 203 799 4 3 1 205 700 200
// expect 3: 3 1 1 3 3 1 1 1 1 4 1 1 1 1 1 1
// launch: -k scan_rows -g 10 -l 5 -a fill:64:3 -a 8 -a zero:10 -a zero:10
// expect 2: 101 104 107 0 205 300 303 306 401 404
// expect 3: 3 3 3 1 3 3 3 3 3 3

__kernel void scan_rows(__global const int *m, int width, __global int *where, __global char *why)
{
    int key = get_global_id(0);
    int budget = 10 + 3 * key;
    int row, col, reason = 0;
    for (row = 0;; row++) {
        if (row == 8) {
            reason = 4;
            break;
        }
        for (col = 0; col < width; col++) {
            int v = m[row * width + col];
            if (v == key) {
                reason = 1;
                goto done;
            }
            if (v == 15 && row > 2) {
                reason = 2;
                goto done;
            }
            if (--budget == 0) {
                reason = 3;
                goto done;
            }
            if (v < 2)
                break;
        }
    }
    col = -1;
done:
    where[key] = row * 100 + col;
    why[key] = reason;
}
