// A structure by value that the kernel changes: it changes its copy.
typedef struct { int values[6]; } Six;
kernel void structs(global int *out, Six six, int i) {
  six.values[i] = 5;
  out[0] = six.values[out[1]];
}
