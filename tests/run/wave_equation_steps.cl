// A string with fixed ends: one group computes all steps of time between barriers
// with three rows that rotate, and one point is recorded now and then.
//
// launch: -k wave -g 41 -l 41 -a 24 -a 3 -a 0.35999999999999999 -a zero:41 -a zero:8
// expect 3: 0 -0.26512286 -0.4362109 -0.3398858 -0.17962393 -0.1059733 0.02364323 -0.012711197 -0.021639302 0.02732438
// expect 3: -0.018291626 0.0058688316 0.002900526 -0.0059127733 0.0029005334 0.005869273 -0.01828473 0.027402783
// expect 3: -0.020981543 -0.008588415 0.043016862 -0.038050115 -0.004077317 -0.010607574 0.008748168 0.18020174
// expect 3: 0.34813315 0.44532457 0.44495898 0.3292782 0.17554663 0.06792324 0.01937364 0.0041228584 0.0006578583
// expect 3: 0.00007842342 0.0000068859595 0.00000043248593 0.000000018392155 0.00000000047461624 0
// expect 4: 0 0.080420025 0.35688755 0.45418352 0.2222316 0.015848234 -0.039386246 0.043016862
// launch: -k wave -g 64 -l 64 -a 9 -a 2 -a 0.35999999999999999 -a zero:64 -a zero:4
// expect 3: 0 0 0 0 0 0 0 0 0 0.000025389996 0.000792732 0.0097704455 0.06038604 0.1984199 0.35688755 0.42863888
// expect 3: 0.4748653 0.30961296 0.12948398 0.061590545 -0.022415752 -0.016116835 -0.022415781 0.061590552 0.12948397
// expect 3: 0.30961296 0.47486526 0.42863888 0.35688755 0.1984199 0.06038604 0.0097704455 0.000792732 0.000025389996 0
// expect 3: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 4: 0 0 0 0.00007052776
// launch: -k wave -g 5 -l 5 -a 30 -a 10 -a 0.35999999999999999 -a zero:5 -a zero:3
// expect 3: 0 0.19973029 0.422699 -0.0016794652 0
// expect 4: -0.22368577 -0.8392185 0.422699

#pragma OPENCL FP_CONTRACT OFF

__kernel void wave(int steps, int every, float c, __global float *shape, __global float *record)
{
    __local float rows[3][64];
    const int i = get_local_id(0), n = get_local_size(0);
    const float bump = max(0.0f, 4.0f - abs(i - n / 3)) * 0.25f;
    __local float *before = rows[0], *now = rows[1], *next = rows[2];
    before[i] = bump;
    now[i] = bump;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < steps; s++) {
        if (i == 0 || i == n - 1) {
            next[i] = 0.0f;
        } else {
            const float bend = now[i - 1] - 2.0f * now[i] + now[i + 1];
            next[i] = 2.0f * now[i] - before[i] + c * bend;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s % every == every - 1 && i == n / 2)
            record[s / every] = next[i];
        __local float *spare = before;
        before = now;
        now = next;
        next = spare;
    }
    shape[i] = now[i];
}
