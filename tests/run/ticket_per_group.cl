// Groups fetch their work: the first work-item draws a ticket from a global
// counter and hands it to its group through local memory until there are no more
// tasks. The results do not depend on which group did which task.
//
// launch: -k workers -g 16 -l 4 -a rand:104:2441:0:99 -a 13 -a zero:1 -a zero:1 -a zero:13
// expect 2: 17
// expect 3: 13
// expect 4: 2421 1958 1244 1159 2039 2351 1499 1971 1795 2067 2414 2741 1492
// launch: -k workers -g 15 -l 3 -a rand:16:2442:0:99 -a 2 -a zero:1 -a zero:1 -a zero:2
// expect 2: 7
// expect 3: 2
// expect 4: 1616 1339
// launch: -k workers -g 16 -l 16 -a rand:56:2443:0:99 -a 7 -a zero:1 -a zero:1 -a zero:7
// expect 2: 8
// expect 3: 7
// expect 4: 1678 1698 1917 1805 1433 2468 1828
// launch: -k workers -g 3 -l 1 -a rand:72:2444:0:99 -a 9 -a zero:1 -a zero:1 -a zero:9
// expect 2: 12
// expect 3: 9
// expect 4: 1193 2045 2159 1858 1019 1142 1308 2016 2017

__kernel void workers(__global const int *data, int tasks, volatile __global int *ticket, volatile __global int *done, __global int *out)
{
    __local int task, sum;
    const int l = get_local_id(0), n = get_local_size(0);
    int finished = 0;
    for (;;) {
        if (l == 0) {
            task = atomic_inc(ticket);
            sum = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int now = task;
        if (now >= tasks)
            break;
        for (int i = l; i < 8; i += n)
            atomic_add(&sum, data[now * 8 + i] * (i + 1));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            out[now] = sum;
        finished++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        atomic_add(done, finished);
}
