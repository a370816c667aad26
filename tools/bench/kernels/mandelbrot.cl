// How many steps a point of the plane stays near the origin.
__kernel void mandelbrot(__global int *steps, int width, float left, float top, float pitch, int most) {
    int x = get_global_id(0), y = get_global_id(1);
    float cr = left + x * pitch, ci = top + y * pitch;
    float zr = 0.0f, zi = 0.0f;
    int n = 0;
    while (n < most && zr * zr + zi * zi < 4.0f) {
        float next = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = next;
        ++n;
    }
    steps[y * width + x] = n;
}
