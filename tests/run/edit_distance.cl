// Levenshtein distance of one word against each word of a list, one
// work-item per word, a single rolling row.
//
// launch: -k levenshtein -g 5 -l 5 -a values:107,105,116,116,101,110 -a 6 -a values:115,105,116,116,105,110,103,107,105,116,116,101,110,105,109,105,116,116,101,110,115 -a values:0,7,7,13,17,21 -a zero:5
// expect 4: 3 6 0 5 4

__kernel void levenshtein(__constant char *word, int n, __global const char *list, __global const int *start, __global int *distance)
{
    int w = get_global_id(0);
    __global const char *other = list + start[w];
    int m = start[w + 1] - start[w];
    int row[16];
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; i <= m; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int up = row[j];
            row[j] = min(min(up, row[j - 1]) + 1, diagonal + (other[i - 1] != word[j - 1]));
            diagonal = up;
        }
    }
    distance[w] = row[n];
}
