// The two kernels of one elimination step: multipliers, then the update of
// matrix and right-hand side. Double, so division is exactly rounded.
//
// launch: -k fan1 -g 5 -l 5 -a 5 -a 1 -a rand:25:631:1:9 -a zero:25
// expect 3: 0 0 0 0 0 0 0 0 0 0 0 0.40726140828015606 0 0 0 0 1.2612516833698157 0 0 0 0 1.3185666353043897 0 0 0
// launch: -k fan2 -g 5,5 -l 1,5 -a 5 -a 1 -a rand:25:631:1:9 -a rand:5:632:-1:1 -a rand:25:633:-1:1
// expect 2: 7.100271982460721 1.556415049923765 6.668495643885171 2.81774141215905 8.171984736702878
// expect 2: 4.358069120824401 6.151874023596493 8.341525875268816 6.20517529565624 5.482537637937839
// expect 2: 7.648804331800292 3.108180707276806 8.527420262150743 8.448652139360355 9.390122198032461
// expect 2: 7.563304272478545 13.499610820368733 9.821973691829172 13.79215597286543 9.939848570500892
// expect 2: 4.510128233868153 12.954927609564823 15.407778723780172 13.473012717081849 9.49990401038688
// expect 3: -0.7264745470792553 0.36522282994168687 0.2803665816097369 0.6300147112670982 0.48186927720816347

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void fan1(int size, int t, __global const double *a, __global double *m)
{
    int i = get_global_id(0);
    if (i < size - 1 - t)
        m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__kernel void fan2(int size, int t, __global double *a, __global double *b, __global const double *m)
{
    int x = get_global_id(1), y = get_global_id(0);
    if (x >= size - 1 - t || y >= size - t)
        return;
    double f = m[size * (x + 1 + t) + t];
    a[size * (x + 1 + t) + (y + t)] -= f * a[size * t + (y + t)];
    if (y == 0)
        b[x + 1 + t] -= f * b[t];
}
