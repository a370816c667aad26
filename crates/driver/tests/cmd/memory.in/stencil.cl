// One step of heat: the inner points of a grid get the mean of their neighbours.
__kernel void stencil(__global const float *from, __global float *to, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    int at = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        to[at] = from[at];
        return;
    }
    to[at] = 0.2f * (from[at] + from[at - 1] + from[at + 1] + from[at - width] + from[at + width]);
}
