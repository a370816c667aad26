// Occurrences of a pattern: naive with early break per position, and
// Knuth-Morris-Pratt by one work-item with its failure table in private memory.
//
// launch: -k naive -g 20 -l 5 -a values:97,98,97,98,97,99,97,98,97,97,98,97,98,97,99,97,97,98,97,98 -a 20 -a values:97,98,97 -a 3 -a zero:20 -a zero:1
// expect 4: 3 0 3 0 1 0 3 0 1 3 0 3 0 1 0 1 3 0 0 0
// expect 5: 6
// launch: -k kmp -g 1 -l 1 -a values:97,98,97,98,97,99,97,98,97,97,98,97,98,97,99,97,97,98,97,98 -a 20 -a values:97,98,97 -a 3 -a fill:20:-1 -a zero:1
// expect 4: 0 2 6 9 11 16 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
// expect 5: 6
// launch: -k kmp -g 1 -l 1 -a fill:20:97 -a 20 -a values:97,97,97,97 -a 4 -a fill:20:-1 -a zero:1
// expect 4: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 -1 -1 -1
// expect 5: 17

__kernel void naive(__global const char *text, int n, __constant char *pattern, int m, __global char *hit, __global int *count)
{
    int i = get_global_id(0), k = 0;
    if (i + m <= n)
        for (; k < m; k++)
            if (text[i + k] != pattern[k])
                break;
    hit[i] = k;
    if (k == m)
        atomic_inc(count);
}

__kernel void kmp(__global const char *text, int n, __constant char *pattern, int m, __global int *where, __global int *count)
{
    int fail[8];
    fail[0] = 0;
    for (int i = 1, k = 0; i < m; i++) {
        while (k > 0 && pattern[k] != pattern[i])
            k = fail[k - 1];
        if (pattern[k] == pattern[i])
            k++;
        fail[i] = k;
    }
    int found = 0;
    for (int i = 0, k = 0; i < n; i++) {
        while (k > 0 && (k == m || pattern[k] != text[i]))
            k = fail[k - 1];
        if (pattern[k] == text[i])
            k++;
        if (k == m)
            where[found++] = i - m + 1;
    }
    *count = found;
}
