// Powers of zero, infinity and NaN whose exponent is subnormal: it must not count as zero.
//
// launch: -k powers -g 10 -l 5 -a values:0,-0,0,-0,inf,inf,2,-2,nan,1 -a values:1e-45,1e-45,-1e-45,-1e-38,1e-45,-1e-45,1e-45,1e-45,1e-45,1e-45 -a zero:10 -a zero:10
// expect 2: 0 0 inf inf inf 0 1 NaN NaN 1
// expect 3: 0 0 inf inf inf 0 1 NaN NaN 1
__kernel void powers(__global const float *x, __global const float *y, __global float *native, __global float *relaxed) {
  size_t i = get_global_id(0);
  native[i] = native_powr(x[i], y[i]);
  relaxed[i] = half_powr(x[i], y[i]);
}
