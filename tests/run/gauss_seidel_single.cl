// Gauss-Seidel sweeps over a grid by one work-item: new values are used as soon as they are there.
//
// launch: -k sweep -g 1 -a rand:36:3225:0:1 -a 2
// expect 0: 0.79126656 0.3983376 0.0156181455 0.33923614 0.760119 0.67324704 0.5547355 0.3884677 0.34942293
// expect 0: 0.45597726 0.68538594 0.9719112 0.15079099 0.38392177 0.43112892 0.4550091 0.68830436 0.91863215
// expect 0: 0.33843726 0.39404774 0.43874705 0.54582465 0.73158157 0.95112056 0.10163063 0.38442737 0.6000564
// expect 0: 0.6114609 0.7544519 0.7363007 0.3153531 0.49161333 0.98169917 0.55888593 0.9384642 0.8636232

#pragma OPENCL FP_CONTRACT OFF
__kernel void sweep(__global float *u, int sweeps)
{
    for (int s = 0; s < sweeps; s++)
        for (int i = 1; i < 5; i++)
            for (int j = 1; j < 5; j++)
                u[i * 6 + j] = 0.25f * (u[(i - 1) * 6 + j] + u[i * 6 + j - 1] + u[i * 6 + j + 1] + u[(i + 1) * 6 + j]);
}
