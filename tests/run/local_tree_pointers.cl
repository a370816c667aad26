// Structs in local memory that hold pointers to each other: each work-item hangs its
// node into a tree that one of them then walks, and points to others' members.
//
// launch: -k trees -g 14 -l 7 -a rand:14:31:0:99 -a zero:14 -a zero:14
// expect 1: 1 17 25 273 337 409 473 1 17 25 273 337 409 473
// expect 2: 7141 3141 3160 1160 1140 1160 1140 7143 3167 3171 1125 1139 1109 1095

typedef struct node {
    short key;
    uchar visits;
    __local struct node *parent;
    __local short *best;
} node;

__kernel void trees(__global const short *in, __global int *paths, __global int *seen)
{
    __local node nodes[7];
    int l = get_local_id(0), g = get_global_id(0);
    __local node *mine = nodes + l;
    mine->key = in[g];
    mine->visits = 0;
    mine->parent = l == 0 ? 0 : &nodes[(l - 1) / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local short *best = &mine->key;
    int path = 0;
    for (__local node *n = mine; n; n = n->parent) {
        path = path * 8 + (int)(n - nodes) + 1;
        if (n->key > *best)
            best = &n->key;
    }
    mine->best = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        for (int k = 0; k < 7; k++)
            for (__local node *n = &nodes[6 - k]; n != 0; n = n->parent)
                n->visits++;
    barrier(CLK_LOCAL_MEM_FENCE);
    paths[g] = path;
    seen[g] = mine->visits * 1000 + *nodes[6 - l].best * 2 + (best == &mine->key);
}
