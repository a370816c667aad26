// One-dimensional automata: work-item r evolves 32 cells of a word by rule r,
// bit-parallel, and one kernel runs a rule over global memory cell by cell.
//
// launch: -k words -g 16 -l 4 -a values:30,90,110,184,0,255,150,54,22,60,102,126,45,73,105,18 -a 0x00010000 -a 12 -a zero:16
// expect 3: 421317904 269488144 523304960 16 0 4294967295 285278480 286331152 269488144 69904 286326784 404238384
// expect 3: 7146960 390415824 285278480 269488144
// launch: -k cells -g 24 -l 24 -a 110 -a 7 -a values:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
// expect 2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 0 1 0 1 1 1

__kernel void words(__global const uchar *rules, uint seed, int steps, __global uint *out)
{
    int i = get_global_id(0);
    uint rule = rules[i], s = seed;
    while (steps-- > 0) {
        uint l = rotate(s, 31u), r = rotate(s, 1u), next = 0;
        for (uint k = 0; k < 8; k++)
            if (rule >> k & 1)
                next |= (k & 4 ? l : ~l) & (k & 2 ? s : ~s) & (k & 1 ? r : ~r);
        s = next;
    }
    out[i] = s;
}

__kernel void cells(int rule, int steps, __global char *c)
{
    int i = get_local_id(0), n = get_local_size(0);
    for (int t = 0; t < steps; t++) {
        int k = c[(i + n - 1) % n] * 4 + c[i] * 2 + c[(i + 1) % n];
        barrier(CLK_GLOBAL_MEM_FENCE);
        c[i] = rule >> k & 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
