// Names with leading, trailing and double underscores, of parameters, variables and arrays.
//
// launch: -k _names__ -g 4 -l 2 -a 3 -a iota:4 -a zero:4 -a values:1,2,3,4 -a 2,5 -a words:7,9 -a local:8
// expect 2: 10 12 26 28

typedef struct { int _x_; int x__; } __pair;

__constant int __table_[4] = {1, 2, 3, 4};

__kernel void _names__(int _, __global const int *_fict_, __global int *__out__,
                       __global const int *_fict, int2 v__, __pair __s_,
                       __local int *__shared_) {
    int __i = get_global_id(0);
    int l_ = get_local_id(0);
    __shared_[l_] = _fict_[__i] * _ + __s_._x_;
    barrier(CLK_LOCAL_MEM_FENCE);
    int a__b = __shared_[1 - l_];
    int a_b = __table_[__i] + v__.x;
    __out__[__i] = a__b + a_b + _fict[__i] + v__.y - __s_.x__ + __shared_[l_] - __s_._x_;
}
