// Fields of an array of structs: writes of one never meet reads of another, but those of the same do.
//
// launch: -k fields -g 1 -a rand:36:3237:0:99 -a 12
// expect 0: 3 241 51 95 246 78 84 28 14 7 147 109 19 60 22 19 156 52 52 180 98 41 155 101 27 220 108 56 208 34 87
// expect 0: 119 79 20 88 15

typedef struct { int key, sum; int next; } Item;
__kernel void fields(__global int *words, int n)
{
    __global Item *items = (__global Item *)words;
    for (int i = 0; i + 1 < n; i++) {
        items[i].sum = items[i + 1].key * 2 + items[i].next;
        items[i + 1].next += items[i].sum & 15;
    }
}
