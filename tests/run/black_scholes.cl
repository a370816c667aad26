// Option prices by the closed formula: exp, log, sqrt and a polynomial for
// the normal distribution; calls and puts.
//
// launch: -k price -g 8 -l 4 -a values:100,110,90,50,105,75,100,60 -a values:100,100,100,55,100,80,105,58 -a values:1,0.5,1.25,2,0.75,1,0.75,1.5 -a 0.03 -a 0.3 -a zero:8 -a zero:8
// expect 5: 13.28331 15.709607 9.498315 7.6813736 14.481235 7.8417463 9.194746 10.8809
// expect 6: 10.327864 4.2208014 15.817757 9.478423 7.2563586 10.477389 11.858626 6.328754
// ulp: 1024

float normal_cdf(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float w = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float c = 0.39894228f * exp(-0.5f * d * d) * w;
    return d > 0.0f ? 1.0f - c : c;
}

__kernel void price(__global const float *spot, __global const float *strike, __global const float *years, float rate, float volatility, __global float *call, __global float *put)
{
    int i = get_global_id(0);
    float s = spot[i], x = strike[i], t = years[i];
    float root = sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float discount = x * exp(-rate * t);
    call[i] = s * normal_cdf(d1) - discount * normal_cdf(d2);
    put[i] = discount * (1.0f - normal_cdf(d2)) - s * (1.0f - normal_cdf(d1));
}
