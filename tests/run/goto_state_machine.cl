// A tokeniser written with forward and backward gotos: states are labels.
// Counts numbers, words and blanks of one line per work-item.
//
// launch: -k lex -g 4 -l 2 -a values:97,98,32,49,50,51,32,32,120,0,55,55,32,97,49,98,32,57,0,0,0,1,2,3,4,5,6,7,8,9,32,49,32,50,32,51,32,52,32,53 -a 10 -a zero:16
// expect 2: 1 2 3 123 2 1 2 779 0 0 0 0 5 0 5 12345

kernel void lex(global const char *text, int len, global int *out)
{
    int line = get_global_id(0);
    global const char *p = text + line * len;
    global const char *end = p + len;
    int numbers = 0, words = 0, blanks = 0, value = 0;

blank:
    if (p == end || *p == 0)
        goto finish;
    if (*p == ' ') {
        blanks++;
        p++;
        goto blank;
    }
    if (*p >= '0' && *p <= '9') {
        numbers++;
        goto digits;
    }
    if (*p < 'a')
        goto finish;
    words++;
letters:
    if (++p == end || *p == 0)
        goto finish;
    if (*p != ' ')
        goto letters;
    goto blank;
digits:
    value = value * 10 + (*p - '0');
    p++;
    if (p < end && *p >= '0' && *p <= '9')
        goto digits;
    goto blank;
finish:
    out[4 * line + 0] = numbers;
    out[4 * line + 1] = words;
    out[4 * line + 2] = blanks;
    out[4 * line + 3] = value;
}
