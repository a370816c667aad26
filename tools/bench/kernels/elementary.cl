// One function of floats per element: as a core, as libclc's chain of operations, or none.
float __sluice_chain_exp(float);
float __sluice_chain_exp2(float);
float __sluice_chain_exp10(float);
float __sluice_chain_log2(float);
float __sluice_chain_log10(float);
float __sluice_chain_sin(float);
float __sluice_chain_cos(float);
float __sluice_chain_pow(float, float);
float __sluice_f32_recip(float);
float __sluice_f32_divide(float, float);

kernel void elementary(global const float *restrict x, global const float *restrict y,
                       global float *restrict z) {
  size_t i = get_global_id(0);
  float a = x[i], b = y[i];
  z[i] = VALUE;
}
