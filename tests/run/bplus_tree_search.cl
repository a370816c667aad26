// Queries descend a B+ tree of structs: the work-items of a group compare the
// keys of one node in parallel, one of them finds the child.
//
// launch: -k find -g 20 -l 4 -a words:20,40,60,99,1,2,3,4,0,5,10,15,20,0,1,2,3,1,20,25,30,40,4,5,6,7,1,40,48,50,60,8,9,10,11,1,60,70,80,99,12,13,14,15,1 -a values:3,27,40,59,98 -a values:100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115 -a zero:5
// expect 3: 100 106 109 111 115

typedef struct {
    int keys[4];
    int child[4];
    int leaf;
} node;

__kernel void find(__global const node *tree, __global const int *queries, __global const int *records, __global int *answers)
{
    __local int at, found;
    const int l = get_local_id(0), q = get_group_id(0), key = queries[q];
    if (l == 0) {
        at = 0;
        found = -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (true) {
        __global const node *n = &tree[at];
        int low = l == 0 ? INT_MIN : n->keys[l - 1];
        int leaf = n->leaf;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (key >= low && key < n->keys[l]) {
            if (leaf)
                found = n->child[l];
            else
                at = n->child[l];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (leaf)
            break;
    }
    if (l == 0)
        answers[q] = found < 0 ? -1 : records[found];
}
