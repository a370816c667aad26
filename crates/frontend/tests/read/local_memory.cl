// Local variables, a barrier in a loop, unrolling hints.
kernel void local_memory(global int *data, int rounds) {
  local int tile[64];
  local struct { short key; long value; } pair;
  int id = get_local_id(0);
  tile[id] = data[id];
  if (id == 0)
    pair.value = rounds;
  #pragma unroll 1
  for (int i = 0; i < rounds; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int neighbour = tile[(id + 1) & 63];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tile[id] += neighbour;
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  data[id] = tile[id] + pair.value;
}
