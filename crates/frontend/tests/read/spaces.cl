// options: -cl-std=CL2.0
kernel void known(local int *l, global int *out) {
  int *p = l;
  out[0] = get_fence(p) == CLK_LOCAL_MEM_FENCE && to_global(p) == NULL;
}
kernel void mixed(local int *l, global int *out) {
  int *p = out[1] ? (int *)l : (int *)out;
  *p = to_local(p) == l;
}
