// Vector arithmetic lane by lane, wide accesses, computed lanes, casts between vector shapes.
kernel void vectors(global float4 *v, global uchar16 *bytes, global int3 *threes, int lane) {
  float4 x = v[0];
  x.yw = x.xz * 2.0f;
  ((float *)&x)[lane & 3] = 1.0f;
  v[1] = x.wzyx;
  uchar16 b = bytes[0];
  threes[0] = threes[1] + as_int4(b).xyz;
  bytes[1] = as_uchar16(as_uint4(b) + (uint4)(lane));
  ((global int *)bytes)[9] = x.x < x.y ? lane : (int)((int *)&x)[lane & 1];
}
