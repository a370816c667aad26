// async_work_group_copy to and from local memory, with two events in flight
// and a strided gather; prefetch as a hint.
//
// launch: -k pipeline -g 16 -l 8 -a rand:16:251:0:100 -a iota:48 -a zero:16 -a zero:16
// expect 2: 5221 6618 9715 1412 4209 2106 9903 7100 45 9242 8039 2936 4233 10030 27 4324
// expect 3: 71 99 21 42 14 97 66 52 43 0 100 42 29 80 92 0

__kernel void pipeline(__global const int *a, __global const int *strided, __global int *out, __global int *copy)
{
    __local int left[8], every[8], result[8];
    size_t group = get_group_id(0), l = get_local_id(0);
    prefetch(a + group * 8, 8);
    event_t e[2];
    e[0] = async_work_group_copy(left, a + group * 8, 8, 0);
    e[1] = async_work_group_strided_copy(every, strided + group * 24, 8, 3, 0);
    wait_group_events(2, e);
    result[7 - l] = left[l] * 100 + every[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t done = async_work_group_copy(out + group * 8, result, 8, 0);
    done = async_work_group_copy(copy + group * 8, left, 8, done);
    wait_group_events(1, &done);
}
