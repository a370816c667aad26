// A loop with twenty-one ways out, most of them to blocks of their own.
//
// launch: -k k -g 24 -a zero:24 -a zero:15
// expect 0: 5005 14000 2005 2008 14001 19005 14005 12003 11020 9006 10000 19003 16004 7006 4005 2003 6000 4001 16000 7000 20002 6009 9004 1003
// expect 1: 1 3 0 2 1 2 2 0 2 1 1 1 0 3 0

__kernel void k(__global uint *out, __global uint *hits)
{
    uint i = get_global_id(0), x = i * 7 + 1;
    uint n = 0;
    for (; n <= 50; n++) {
        x = (x * 5 + 3) & 0xffff;
        if (x % 51 == 0) {
            out[i] = 1000 + n;
            atomic_inc(&hits[0]);
            return;
        }
        x = (x * 5 + 5) & 0xffff;
        if (x % 53 == 0) {
            out[i] = 2000 + n;
            atomic_inc(&hits[1]);
            return;
        }
        x = (x * 5 + 7) & 0xffff;
        if (x % 55 == 0) {
            out[i] = 3000 + n;
            atomic_inc(&hits[2]);
            return;
        }
        x = (x * 5 + 9) & 0xffff;
        if (x % 57 == 0) {
            out[i] = 4000 + n;
            atomic_inc(&hits[3]);
            return;
        }
        x = (x * 5 + 11) & 0xffff;
        if (x % 59 == 0) {
            out[i] = 5000 + n;
            atomic_inc(&hits[4]);
            return;
        }
        x = (x * 5 + 13) & 0xffff;
        if (x % 61 == 0) {
            out[i] = 6000 + n;
            atomic_inc(&hits[5]);
            return;
        }
        x = (x * 5 + 15) & 0xffff;
        if (x % 63 == 0) {
            out[i] = 7000 + n;
            atomic_inc(&hits[6]);
            return;
        }
        x = (x * 5 + 17) & 0xffff;
        if (x % 65 == 0) {
            out[i] = 8000 + n;
            atomic_inc(&hits[7]);
            return;
        }
        x = (x * 5 + 19) & 0xffff;
        if (x % 67 == 0) {
            out[i] = 9000 + n;
            atomic_inc(&hits[8]);
            return;
        }
        x = (x * 5 + 21) & 0xffff;
        if (x % 69 == 0) {
            out[i] = 10000 + n;
            atomic_inc(&hits[9]);
            return;
        }
        x = (x * 5 + 23) & 0xffff;
        if (x % 71 == 0) {
            out[i] = 11000 + n;
            atomic_inc(&hits[10]);
            return;
        }
        x = (x * 5 + 25) & 0xffff;
        if (x % 73 == 0) {
            out[i] = 12000 + n;
            atomic_inc(&hits[11]);
            return;
        }
        x = (x * 5 + 27) & 0xffff;
        if (x % 75 == 0) {
            out[i] = 13000 + n;
            atomic_inc(&hits[12]);
            return;
        }
        x = (x * 5 + 29) & 0xffff;
        if (x % 77 == 0) {
            out[i] = 14000 + n;
            atomic_inc(&hits[13]);
            return;
        }
        x = (x * 5 + 31) & 0xffff;
        if (x % 79 == 0) {
            out[i] = 15000 + n;
            atomic_inc(&hits[14]);
            return;
        }
        x = (x * 5 + 33) & 0xffff;
        if (x % 81 == 0) {
            out[i] = 16000 + n;
            return;
        }
        x = (x * 5 + 35) & 0xffff;
        if (x % 83 == 0) {
            out[i] = 17000 + n;
            return;
        }
        x = (x * 5 + 37) & 0xffff;
        if (x % 85 == 0) {
            out[i] = 18000 + n;
            return;
        }
        x = (x * 5 + 39) & 0xffff;
        if (x % 87 == 0) {
            out[i] = 19000 + n;
            return;
        }
        x = (x * 5 + 41) & 0xffff;
        if (x % 89 == 0) {
            out[i] = 20000 + n;
            return;
        }
    }
    out[i] = n;
}
