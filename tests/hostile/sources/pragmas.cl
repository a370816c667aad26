#line 1 "stolen"
#pragma GCC dependency "crash.cl"
#pragma clang module import stolen
#pragma comment(lib, "evil")
#pragma GCC poison printf
#pragma push_macro("X")
kernel void k(global int *x) { x[0] = sizeof(__FILE__); }
