// Pointers that are chosen at run time among global, local and private memory: accesses, atomics, comparisons,
// conversions, in structures and arrays, as parameters, to the program's variables, and to the library.
//
// launch: -k chosen -cl-std=CL3.0 -g 8 -l 4 -a iota:8 -a local:16 -a zero:32
// expect 0: 7 1 2 3 11 5 6 7
// expect 2: 14 1 2 1 216 2 1 2 2018 4 0 4 20 4 0 0 22 1 2 1 216 2 1 2 2026 4 0 4 28 4 0 0
// launch: -k chosen -cl-opt-disable -cl-std=CL3.0 -g 8 -l 4 -a iota:8 -a local:16 -a zero:32
// expect 0: 7 1 2 3 11 5 6 7
// expect 2: 14 1 2 1 216 2 1 2 2018 4 0 4 20 4 0 0 22 1 2 1 216 2 1 2 2026 4 0 4 28 4 0 0
// launch: -k atomics -cl-std=CL3.0 -g 8 -l 4 -a values:0,0 -a zero:4 -a local:8
// expect 0: 4 107
// expect 1: 12 102 12 106
// launch: -k atomics -cl-std=CL2.0 -g 8 -l 4 -a values:0,0 -a zero:4 -a local:8
// expect 0: 4 107
// expect 1: 12 102 12 106
// launch: -k structures -cl-std=CL3.0 -g 6 -l 3 -a iota:6 -a iota:6 -a zero:6 -a local:12 -a local:12
// expect 0: 1 1 2 4 4 5
// expect 1: 0 1 2 6 4 5
// expect 2: 140 4244 10646 464 4244 10646
// launch: -k conversions -cl-std=CL3.0 -g 4 -l 2 -a zero:16 -a zero:4 -a local:8
// expect 0: 0 0 0 0 5 3 2 1 0 0 0 0 7 3 2 1
// expect 1: 10301004 11301005 10301006 11301007
// launch: -k vectors -cl-std=CL3.0 -g 6 -l 3 -a iota:6 -a zero:6 -a local:48
// expect 0: 3 1 2 3 4 5 6 7 8 9 10 11 15 13 14 15 16 17 18 19 20 21 22 23
// expect 1: 6 3 3 9 8 5 5 13 8 5 5 13 30 27 27 57 14 11 11 25 13 10 10 23
// launch: -k variables -cl-std=CL3.0 -g 4 -l 4 -a zero:4 -a local:16
// expect 0: 3 3 2 78
// launch: -k library -cl-std=CL3.0 -g 6 -l 3 -a values:1.25,2.5,-3.75,10.5,0.125,7 -a zero:6 -a local:24 -a local:12
// expect 1: 511 511 511 511 511 511
// launch: -k matrices -cl-std=CL3.0 -g 4 -l 2 -a iota:8 -a zero:4 -a local:32
// expect 1: -2 -2 -2 -2
int twice(int *p) { return 2 * *p; }

void add(int *p, int by) { *p += by; }

kernel void chosen(global int *g, local int *l, global int *out) {
  size_t i = get_global_id(0), n = get_local_id(0);
  int x = 1000 + i, own[4] = {1, 2, 3, (int)i};
  l[n] = 100 + n;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p;
  switch (i % 4) {
  case 0:
    p = g + i;
    break;
  case 1:
    p = l + n;
    break;
  case 2:
    p = &x;
    break;
  default:
    p = own + i % 4;
  }
  add(p, 7);
  global int *in_global = to_global(p);
  local int *in_local = to_local(p);
  private int *in_private = to_private(p);
  out[i * 4] = twice(p);
  out[i * 4 + 1] = (in_global != NULL) + 2 * (in_local != NULL) + 4 * (in_private != NULL);
  out[i * 4 + 2] = get_fence(p);
  out[i * 4 + 3] = (p == g + i) + 2 * (p == l + n) + 4 * (p == &x);
}

kernel void atomics(global int *g, global int *out, local int *l) {
  size_t i = get_global_id(0), n = get_local_id(0);
  if (n == 0) {
    l[0] = 10;
    l[1] = 20;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile atomic_int *p = i & 1 ? (volatile atomic_int *)g : (volatile atomic_int *)l;
  atomic_fetch_add(p, 1);
  atomic_fetch_max(p + 1, (int)(100 + i));
  int expected = -1;
  atomic_compare_exchange_strong(p + 1, &expected, 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (n < 2)
    out[get_group_id(0) * 2 + n] = l[n];
}

typedef struct {
  int *p;
  float *f;
} references;

kernel void structures(global int *g, global float *f, global int *out, local float *lf, local int *li) {
  size_t i = get_global_id(0), n = get_local_id(0);
  int own = 5;
  float mine = 0.5f;
  references all[3] = {{g + i, f + i}, {li + n, lf + n}, {&own, &mine}};
  li[n] = 40 + n;
  lf[n] = 0.25f * n;
  barrier(CLK_LOCAL_MEM_FENCE);
  references *chosen = &all[i % 3];
  *chosen->p += 1;
  *chosen->f *= 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = *chosen->p * 100 + (int)(*chosen->f * 4) + (own == 6) * 10000 + li[n];
}

void set(void *p, int value) { *(int *)p = value; }

void *either(int which, void *a, void *b) { return which ? a : b; }

kernel void conversions(global uchar *g, global int *out, local uchar *l) {
  size_t i = get_global_id(0), n = get_local_id(0);
  void *p = either(i & 1, g + 4 * i, l + 4 * n);
  set(p, 0x01020304 + i);
  char *back = (char *)(ulong)p;
  uintptr_t distance = (uintptr_t)(back + 3) - (uintptr_t)back;
  out[i] = back[0] + back[3] * 1000 + (int)distance * 100000 + (p == (void *)(g + 4 * i)) * 1000000 +
           (p != NULL) * 10000000;
}

kernel void vectors(global int4 *g, global int4 *out, local int4 *l) {
  size_t i = get_global_id(0), n = get_local_id(0);
  int4 own[2] = {(int4)(1, 2, 3, 4), (int4)((int)i)};
  l[n] = (int4)(i, i + 1, i + 2, i + 3);
  barrier(CLK_LOCAL_MEM_FENCE);
  int4 *p = i % 3 == 0 ? (int4 *)(g + i) : i % 3 == 1 ? (int4 *)(l + n) : (int4 *)(own + (i & 1));
  p->x += 3;
  out[i] = *p + p->wzyx;
  int sum = 0;
  for (int *q = (int *)p; q != (int *)p + 4; q++)
    sum += *q;
  out[i].w = sum;
}

global int *global kept;
global int four[4] = {1, 2, 3, 4};
int *anywhere = &four[3];

kernel void variables(global int *out, local int *l) {
  size_t i = get_global_id(0);
  if (i == 0) {
    kept = &four[2];
    l[0] = 77;
    anywhere = l;
    *anywhere += 1;
    out[3] = l[0];
  }
  int *p = i & 1 ? (int *)&four[i] : (int *)kept;
  if (i == 0) {
    out[0] = *p;
    out[1] = *kept;
    out[2] = four[1];
  }
}

kernel void library(global const float *in, global int *out, local float *lf, local int *li) {
  size_t i = get_global_id(0), n = get_local_id(0);
  float x = in[i], expected, own[2];
  int whole, own_whole;
  float *f = i & 1 ? (float *)(lf + 2 * n) : (float *)own;
  int *w = i & 1 ? (int *)(li + n) : (int *)&own_whole;
  int same = fract(x, f) == fract(x, &expected) && *f == expected;
  same |= (modf(x, f) == modf(x, &expected) && *f == expected) << 1;
  same |= (sincos(x, f) == sincos(x, &expected) && *f == expected) << 2;
  same |= (frexp(x, w) == frexp(x, &whole) && *w == whole) << 3;
  same |= (remquo(x, 3.0f, w) == remquo(x, 3.0f, &whole) && *w == whole) << 4;
  same |= (lgamma_r(x, w) == lgamma_r(x, &whole) && *w == whole) << 5;
  vstore2((float2)(x, -x), 0, f);
  same |= (f[0] == x && f[1] == -x) << 6;
  float2 both = vload2(0, f);
  same |= (both.x == x && both.y == -x) << 7;
  float2 parts, *to = &parts;
  float2 rest = fract((float2)(x, -x), to);
  same |= (rest.x == fract(x, &expected) && to->x == expected) << 8;
  out[i] = same;
}

int determinant(int (*m)[2]) { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }

kernel void matrices(global int *g, global int *out, local int *l) {
  size_t i = get_global_id(0), n = get_local_id(0);
  for (int k = 0; k < 4; k++)
    l[4 * n + k] = 10 * n + k + 1;
  out[i] = determinant(i < 2 ? (int(*)[2])g : (int(*)[2])(l + 4 * n));
}
