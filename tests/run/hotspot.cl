// Heat in two dimensions, two steps inside one work-group with a shrinking
// halo in local memory; and one plain step in three dimensions.
//
// launch: -k hotspot -g 18,18 -l 6,6 -a 6 -a 6 -a rand:36:641:300:340 -a rand:36:642:0:1 -a zero:36
// expect 4: 324.29434 322.21716 332.54788 335.38132 324.0249 309.49887 331.87506 330.46335 320.5952 327.31525
// expect 4: 324.11462 310.84045 317.43375 318.82523 321.9008 323.3211 322.73227 322.304 321.6066 310.66928 311.57455
// expect 4: 313.40652 328.03564 321.17856 313.80048 324.97943 330.78387 333.0801 331.15454 317.173 332.34958 335.1415
// expect 4: 335.1471 334.8899 322.2421 309.3379
// launch: -k hotspot3d -g 4,4 -l 2,2 -a 3 -a rand:48:643:300:340 -a rand:48:644:0:1 -a zero:48
// expect 3: 310.0092 316.08133 331.69586 328.8219 310.31537 317.66785 325.29236 317.90637 326.93884 318.41635
// expect 3: 316.47592 327.01932 324.89877 326.2139 328.48615 328.65152 311.764 325.13782 323.0975 319.16266 323.45633
// expect 3: 332.99887 324.2936 318.71875 319.78406 325.85416 323.80447 330.4534 331.27246 329.7962 322.64474
// expect 3: 320.10953 322.98285 315.50668 326.8902 310.23325 325.52722 327.3967 329.27643 317.12753 322.01056
// expect 3: 314.7712 322.15967 320.87106 324.84146 316.1606 326.15152 312.22586

#pragma OPENCL FP_CONTRACT OFF
#define B 6
#define STEPS 2
__kernel void hotspot(int w, int h, __global const float *temp, __global const float *power, __global float *out)
{
    __local float t[B][B], next[B][B];
    int tx = get_local_id(0), ty = get_local_id(1);
    int inner = B - 2 * STEPS;
    int x = (int)get_group_id(0) * inner - STEPS + tx, y = (int)get_group_id(1) * inner - STEPS + ty;
    int cx = clamp(x, 0, w - 1), cy = clamp(y, 0, h - 1);
    bool mine = x >= 0 && x < w && y >= 0 && y < h;
    t[ty][tx] = temp[cy * w + cx];
    float p = power[cy * w + cx];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool valid = false;
    for (int s = 0; s < STEPS; s++) {
        valid = false;
        if (tx > s && tx < B - 1 - s && ty > s && ty < B - 1 - s && mine) {
            float west = x == 0 ? t[ty][tx] : t[ty][tx - 1];
            float east = x == w - 1 ? t[ty][tx] : t[ty][tx + 1];
            float north = y == 0 ? t[ty][tx] : t[ty - 1][tx];
            float south = y == h - 1 ? t[ty][tx] : t[ty + 1][tx];
            next[ty][tx] = t[ty][tx] + 0.1f * (p + (east + west - 2.0f * t[ty][tx]) + (north + south - 2.0f * t[ty][tx]) * 0.5f);
            valid = true;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (valid)
            t[ty][tx] = next[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (valid)
        out[y * w + x] = t[ty][tx];
}

__kernel void hotspot3d(int layers, __global const float *in, __global const float *power, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), nx = get_global_size(0), ny = get_global_size(1);
    int c = y * nx + x, layer = nx * ny;
    int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1;
    int n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
    float below, here = in[c], above = in[c + layer];
    below = here;
    for (int k = 0; k < layers; k++) {
        out[c] = 0.4f * here + 0.1f * in[w] + 0.1f * in[e] + 0.1f * in[n] + 0.1f * in[s] + 0.1f * above + 0.1f * below + 0.01f * power[c];
        below = here;
        here = above;
        c += layer;
        w += layer;
        e += layer;
        n += layer;
        s += layer;
        above = k < layers - 2 ? in[c + layer] : here;
    }
}
