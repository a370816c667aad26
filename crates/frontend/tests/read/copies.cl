// Structure copies: short ones unrolled, long ones in a loop.
typedef struct { int head; char name[18]; } Short;
typedef struct { long words[100]; } Long;
kernel void copies(global Short *s, global Long *l, int i) {
  s[i] = s[i + 1];
  l[i] = l[i + 1];
}
