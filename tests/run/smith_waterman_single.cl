// Smith-Waterman by one work-item with one row of scores in private memory; best score and its place.
//
// launch: -k align -g 1 -a values:0,1,2,3,0,1,1,2,3,0,2,2 -a values:1,2,2,3,1,0,1,2,0,3 -a zero:3 -a zero:11
// expect 2: 17 8 9
// expect 3: 0 0 3 6 5 4 8 7 11 15 14

__kernel void align(__global const int *a, __global const int *b, __global int *best, __global int *last)
{
    int row[11];
    for (int j = 0; j <= 10; j++)
        row[j] = 0;
    int top = 0, at_a = 0, at_b = 0;
    for (int i = 0; i < 12; i++) {
        int diagonal = 0;
        for (int j = 1; j <= 10; j++) {
            int up = row[j];
            int score = diagonal + (a[i] == b[j - 1] ? 3 : -2);
            score = max(score, max(up, row[j - 1]) - 1);
            score = max(score, 0);
            diagonal = up;
            row[j] = score;
            if (score > top) {
                top = score;
                at_a = i;
                at_b = j - 1;
            }
        }
    }
    best[0] = top;
    best[1] = at_a;
    best[2] = at_b;
    for (int j = 0; j <= 10; j++)
        last[j] = row[j];
}
