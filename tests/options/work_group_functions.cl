// Work-group functions: every operation, groups of one and of odd sizes, in several dimensions, in loops,
// between barriers and where only some groups call them.
//
// launch: -k integers -cl-std=CL3.0 -g 3 -l 1 -a rand:3:1:-100:100 -a zero:27 -a zero:3
// expect 1: -53 -53 -53 -53 -53 -53 0 2147483647 -2147483648 -93 -93 -93 -93 -93 -93 0 2147483647 -2147483648 -37 -37 -37 -37 -37 -37 0 2147483647 -2147483648
// expect 2: 4611685961519071232 4611685918569398272 4611685978698940416
// launch: -k integers -cl-std=CL3.0 -g 14 -l 7 -a rand:14:2:-100:100 -a zero:126 -a zero:14
// expect 1: 80 -67 87 21 21 21 0 2147483647 -2147483648 80 -67 87 -26 -47 21 21 21 21 80 -67 87 -81 -55 21
// expect 1: -26 -47 21 80 -67 87 -148 -67 21 -81 -55 21 80 -67 87 -61 -67 87 -148 -67 21 80 -67 87
// expect 1: 7 -67 87 -61 -67 87 80 -67 87 80 -67 87 7 -67 87 140 -96 85 85 85 85 0 2147483647 -2147483648
// expect 1: 140 -96 85 117 32 85 85 85 85 140 -96 85 160 32 85 117 32 85 140 -96 85 194 32 85
// expect 1: 160 32 85 140 -96 85 98 -96 85 194 32 85 140 -96 85 93 -96 85 98 -96 85 140 -96 85
// expect 1: 140 -96 85 93 -96 85
// expect 2: 22548578304 4611685990510100480 9223371949881688064 13835057896368373760 13835057989783912448 13835058062798356480 13835058141181509632 91268055040 125627793408 171798691840 208305913856 4611686123654086656 9223372136712765440 9223372187178631168
// launch: -k integers -cl-std=CL3.0 -g 34 -l 17 -a rand:34:3:-100:100 -a zero:306 -a zero:34
// expect 1: -352 -96 96 -28 -28 -28 0 2147483647 -2147483648 -352 -96 96 -80 -52 -28 -28 -28 -28 -352 -96 96 -144 -64 -28
// expect 1: -80 -52 -28 -352 -96 96 -233 -89 -28 -144 -64 -28 -352 -96 96 -153 -89 80 -233 -89 -28 -352 -96 96
// expect 1: -210 -89 80 -153 -89 80 -352 -96 96 -118 -89 92 -210 -89 80 -352 -96 96 -22 -89 96 -118 -89 92
// expect 1: -352 -96 96 -78 -89 96 -22 -89 96 -352 -96 96 -136 -89 96 -78 -89 96 -352 -96 96 -95 -89 96
// expect 1: -136 -89 96 -352 -96 96 -156 -89 96 -95 -89 96 -352 -96 96 -147 -89 96 -156 -89 96 -352 -96 96
// expect 1: -243 -96 96 -147 -89 96 -352 -96 96 -189 -96 96 -243 -96 96 -352 -96 96 -256 -96 96 -189 -96 96
// expect 1: -352 -96 96 -352 -96 96 -256 -96 96 -193 -99 81 -15 -15 -15 0 2147483647 -2147483648 -193 -99 81 -65 -50 -15
// expect 1: -15 -15 -15 -193 -99 81 16 -50 81 -65 -50 -15 -193 -99 81 59 -50 81 16 -50 81 -193 -99 81
// expect 1: 109 -50 81 59 -50 81 -193 -99 81 72 -50 81 109 -50 81 -193 -99 81 24 -50 81 72 -50 81
// expect 1: -193 -99 81 49 -50 81 24 -50 81 -193 -99 81 53 -50 81 49 -50 81 -193 -99 81 -46 -99 81
// expect 1: 53 -50 81 -193 -99 81 -72 -99 81 -46 -99 81 -193 -99 81 -111 -99 81 -72 -99 81 -193 -99 81
// expect 1: -176 -99 81 -111 -99 81 -193 -99 81 -258 -99 81 -176 -99 81 -193 -99 81 -178 -99 81 -258 -99 81
// expect 1: -193 -99 81 -140 -99 81 -178 -99 81 -193 -99 81 -193 -99 81 -140 -99 81
// expect 2: 4611685988362616832 9223371950955429888 13835057900663341056 18446743823527706624 18446743909427052544 4611685792941604864 4611685891725852672 4611685994805067776 9223371953102913536 13835057909253275648 13835057953276690432 18446743906205827072 18446743915869503488 4611685757508124672 4611685815490183168 9223371761976868864 13835057677325041664 4611686002321260544 9223371967061557248 9223372054034644992 9223372100205543424 9223372153892634624 13835058132591575040 25769803776
// expect 2: 52613349376 56908316672 4611685969035264000 9223371959545364480 13835057936096821248 18446743884730990592 4611685741401997312 4611685827301343232 4611685868103532544 9223371829622603776
// launch: -k decisions -cl-std=CL2.0 -g 40 -l 5 -a rand:40:5:0:60 -a zero:40
// expect 1: 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 4 4 4 4 4 5 5 5 5 5 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4
// launch: -k rounds -cl-std=CL3.0 -g 12 -l 3 -a iota:12 -a zero:12 -a local:12
// expect 1: 50 66 76 8 8 0 374 486 556 20 20 0
// launch: -k rounds -cl-std=CL3.0 -g 10 -l 5 -a iota:10 -a zero:10 -a local:20
// expect 1: 109 140 182 226 239 106 77 48 48 0
// launch: -k boxes -cl-std=CL3.0 -g 6,2,2 -l 3,2,2 -a iota:24 -a zero:24
// expect 1: 20000 20000 20001 23000 23003 23007 20003 20009 20016 23012 23021 23031 20024 20036 20049 23042 23057 23073 20063 20081 20100 23090 23111 23133
// launch: -k squares -cl-std=CL3.0 -g 4,6 -l 2,3 -a iota:24 -a zero:24
// expect 1: 9000 9001 11002 11003 9004 9005 11006 11007 9008 9009 11010 11011 21012 21013 23014 23015 21016 21017 23018 23019 21020 21021 23022 23023
kernel void integers(global const int *in, global int *out, global ulong *wide) {
  size_t i = get_global_id(0);
  int x = in[i];
  out[i * 9 + 0] = work_group_reduce_add(x);
  out[i * 9 + 1] = work_group_reduce_min(x);
  out[i * 9 + 2] = work_group_reduce_max(x);
  out[i * 9 + 3] = work_group_scan_inclusive_add(x);
  out[i * 9 + 4] = work_group_scan_inclusive_min(x);
  out[i * 9 + 5] = work_group_scan_inclusive_max(x);
  out[i * 9 + 6] = work_group_scan_exclusive_add(x);
  out[i * 9 + 7] = work_group_scan_exclusive_min(x);
  out[i * 9 + 8] = work_group_scan_exclusive_max(x);
  wide[i] = work_group_scan_inclusive_add((ulong)(uint)x << 30);
}

kernel void decisions(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int x = in[i];
  out[i] = (work_group_all(x < 50) != 0) + 2 * (work_group_any(x == 3) != 0) + 4 * (work_group_all(x >= 0) != 0);
}

// Rounds of a loop with user barriers between; which functions are called depends on the group.
kernel void rounds(global const int *in, global float *out, local float *own) {
  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  float x = in[i];
  for (int round = 0; round < 3; round++) {
    own[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    float next = own[(l + 1) % n];
    x = work_group_scan_inclusive_add(next) - round;
    if (get_group_id(0) % 2)
      x = work_group_reduce_max(x) - x;
    else
      x = x + work_group_broadcast(x, round % n);
  }
  out[i] = x;
}

kernel __attribute__((reqd_work_group_size(3, 2, 2))) void boxes(global const double *in, global double *out) {
  size_t i = get_global_linear_id();
  double x = in[i];
  out[i] = work_group_broadcast(x, 2, 1, 1) * 1000 + work_group_scan_exclusive_add(x);
}

kernel void squares(global const long *in, global long *out) {
  size_t i = get_global_linear_id();
  long x = in[i];
  out[i] = work_group_broadcast(x, 1, 2) * 1000 + work_group_scan_inclusive_max(x);
}
