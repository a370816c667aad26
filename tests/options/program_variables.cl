// Variables at program scope and static ones: initial values, structures, arrays, pointers to each other.
//
// launch: -k first_values -cl-std=CL3.0 -g 9 -l 3 -a zero:10
// expect 0: 7 5 1 390 121 100 101 1 1 14
// launch: -k first_values -cl-std=CL2.0 -cl-opt-disable -g 9 -l 3 -a zero:10
// expect 0: 7 5 1 390 121 100 101 1 1 14
// launch: -k chain -cl-std=CL3.0 -g 4 -l 2 -a zero:4
// expect 0: 60 60 60 60
// launch: -k untouched -cl-std=CL3.0 -g 2 -l 1 -a zero:2
// expect 0: 1 1
typedef struct {
  int a;
  float b;
  global int *p;
} pair;

global int counter = 5;
global int zeroed[4];
global pair both = {7, 2.5f, &counter};
global int *global where = &zeroed[2];
int *anywhere = &zeroed[1];
global const int table[4] = {10, 20, 30, 40};
global char text[] = "hello";

int calls(void) {
  static global int made = 100;
  return made++;
}

kernel void first_values(global int *out) {
  size_t i = get_global_id(0);
  volatile global atomic_int *count = (volatile global atomic_int *)&counter;
  if (atomic_fetch_add(count, 1) == 13)
    out[9] = atomic_load(count);
  if (i == 0) {
    out[0] = both.a;
    out[1] = (int)(both.b * 2);
    out[2] = *both.p >= 5;
    *where = 3;
    *anywhere = 9;
    out[3] = zeroed[0] + zeroed[1] * 10 + zeroed[2] * 100 + zeroed[3];
    out[4] = table[get_global_size(0) % 4] + text[1];
    out[5] = calls();
    out[6] = calls();
    out[7] = both.p == &counter;
    out[8] = where == &zeroed[2];
  }
}

typedef struct node node;
struct node {
  int value;
  global node *next;
};
extern global node third;
global node second = {20, &third}, first = {10, &second}, third = {30, 0};

kernel void chain(global int *out) {
  int sum = 0;
  for (global node *it = &first; it; it = it->next)
    sum += it->value;
  out[get_global_id(0)] = sum;
}

kernel void untouched(global int *out) { out[get_global_id(0)] = 1; }
