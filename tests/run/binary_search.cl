// Lower bounds in a sorted array of structs by key, branch-free halving and
// the classic loop side by side.
//
// launch: -k search -g 16 -l 4 -a words:1,10,3,11,3,12,7,13,8,14,20,15,21,16,50,17,51,18 -a 9 -a values:0,1,2,3,4,7,8,9,19,20,21,22,50,51,52,100 -a zero:16 -a zero:16
// expect 3: 0 0 1 1 3 3 4 5 5 5 6 7 7 8 9 9
// expect 4: -1 10 -1 11 -1 13 14 -1 -1 15 16 -1 17 18 -1 -1

typedef struct {
    int key, value;
} record;

__kernel void search(__global const record *table, int n, __global const int *keys, __global int *bound, __global int *value)
{
    int i = get_global_id(0), key = keys[i];
    int base = 0, len = n;
    while (len > 1) {
        int half_len = len / 2;
        base += table[base + half_len - 1].key < key ? half_len : 0;
        len -= half_len;
    }
    base += table[base].key < key;
    bound[i] = base;
    int lo = 0, hi = n - 1, found = -1;
    while (lo <= hi && found < 0) {
        int mid = (lo + hi) >> 1;
        if (table[mid].key == key)
            found = mid;
        else if (table[mid].key < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    value[i] = found < 0 ? -1 : table[found].value + (found < base ? 1000 : 0);
}
