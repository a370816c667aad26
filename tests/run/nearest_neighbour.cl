// Distances of records to a target, then the k smallest by a single
// work-item with a private sorted list (insertion).
//
// launch: -k distances -g 16 -l 8 -a rand:16:681:-90:90 -a 30 -a -10 -a zero:16
// expect 3: 882 3217 5746 1224 2045 16690 410 397 8473 4905 8433 9029 20813 5701 7090 2708
// launch: -k k_smallest -g 1 -l 1 -a rand:16:682:0:1000 -a 16 -a zero:5 -a zero:5
// expect 2: 108 122 195 284 295
// expect 3: 11 10 2 3 0

typedef struct {
    int lat, lng;
} place;

__kernel void distances(__global const int2 *records, int lat, int lng, __global float *d)
{
    int i = get_global_id(0);
    place p = { records[i].x, records[i].y };
    int dx = p.lat - lat, dy = p.lng - lng;
    d[i] = (float)(dx * dx + dy * dy);
}

__kernel void k_smallest(__global const int *d, int n, __global int *value, __global int *index)
{
    int best[5], where[5], held = 0;
    for (int i = 0; i < n; i++) {
        int k = held < 5 ? held++ : 5;
        if (k == 5 && d[i] >= best[4])
            continue;
        if (k == 5)
            k = 4;
        while (k > 0 && best[k - 1] > d[i]) {
            best[k] = best[k - 1];
            where[k] = where[k - 1];
            k--;
        }
        best[k] = d[i];
        where[k] = i;
    }
    for (int k = 0; k < held; k++) {
        value[k] = best[k];
        index[k] = where[k];
    }
}
