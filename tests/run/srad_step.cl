// Speckle-reducing diffusion, both halves of a step in double: gradients and
// coefficient, then the divergence.
//
// launch: -k srad1 -g 6,4 -l 3,2 -a 0.05 -a rand:24:711:1:2 -a zero:24 -a zero:24
// expect 2: 0.4379769768315285 0.8158488972513489 0.40624050808446693 0.45328831976492345 0.33289300141689226
// expect 2: 0.4994986515258735 0.39404895602178924 1 0.8024513039766548 0.7113633064547339 1 1 0.733358562436896
// expect 2: 0.6416469213700409 0.4830178229995362 1 0.6928554384256465 0.3968414143335712 0.8800812106548751 1 1 1 1
// expect 2: 0.5346633748762794
// expect 3: -0.6564569900733184 0.6247080461641299 -0.8200448329859975 1.0907682095609272 0.8750722015735909
// expect 3: -0.5688977300337624 0.5157350662031228 -0.43153010381244866 1.1709584789255072 -0.3420462126994403
// expect 3: -0.3018992306283915 0.2299164601662872 0.7685431951430872 0.7838840356304506 -0.7870327246595642
// expect 3: -0.36369750368226333 1.2089063091464582 -0.793619747373277 -0.43046843080190705 -0.049689405420946
// expect 3: 0.5152410955986644 -0.35206445066445513 -0.1473032391383668 0.753424007919364
// launch: -k srad2 -g 6,4 -l 2,4 -a 0.5 -a rand:24:711:1:2 -a rand:24:712:0:1
// expect 1: 2.0491414602836118 1.4391078633550605 1.717473585516727 1.134274938337951 1.2285518975353713
// expect 1: 2.041852240709697 1.3102171847030455 1.4940640627809603 1.2747710515211985 1.5476169402407984
// expect 1: 1.5554627482743455 1.6562722574430742 1.100754798103042 1.1891206310032083 1.6946028701780445
// expect 1: 1.722590496645595 1.310707920642237 1.8676298813083356 1.5696362867022282 1.4349688037300266
// expect 1: 1.3975032805389218 1.7618068170330228 1.4907979273299725 1.268112761603105

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void srad1(double q0, __global const double *img, __global double *c, __global double *lap)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    int k = y * w + x;
    double j = img[k];
    double n = img[y > 0 ? k - w : k] - j, s = img[y < h - 1 ? k + w : k] - j;
    double west = img[x > 0 ? k - 1 : k] - j, east = img[x < w - 1 ? k + 1 : k] - j;
    double g2 = (n * n + s * s + west * west + east * east) / (j * j);
    double l = (n + s + west + east) / j;
    double num = 0.5 * g2 - 0.0625 * (l * l), den = 1.0 + 0.25 * l;
    double q = num / (den * den);
    den = (q - q0) / (q0 * (1.0 + q0));
    double coefficient = 1.0 / (1.0 + den);
    c[k] = coefficient < 0.0 ? 0.0 : coefficient > 1.0 ? 1.0 : coefficient;
    lap[k] = l;
}

__kernel void srad2(double lambda, __global double *img, __global const double *c)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    int k = y * w + x;
    double d = c[k] * 0.5 + (x + 1 < w ? c[k + 1] * 0.25 : c[k] * 0.25);
    img[k] += 0.25 * lambda * d;
}
