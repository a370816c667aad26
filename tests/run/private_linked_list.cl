// A linked list in private memory: structs that hold pointers to each other,
// inserted in order, reversed, cut and compared with null.
//
// launch: -k lists -g 5 -l 5 -a rand:30:99:0:20 -a zero:30 -a zero:5
// expect 1: 104 72 53 31 20 15 174 145 131 120 112 0 193 182 141 104 30 15 200 141 102 83 54 5 161 154 115 100 42 3
// expect 2: 6 5 6 6 6

typedef struct node {
    int value;
    struct node *next;
} node;

typedef struct {
    node *head;
    node pool[6];
    uchar used;
} list;

static void insert(list *l, int value)
{
    node *fresh = &l->pool[l->used++];
    fresh->value = value;
    node **at = &l->head;
    while (*at != 0 && (*at)->value < value)
        at = &(*at)->next;
    fresh->next = *at;
    *at = fresh;
}

__kernel void lists(__global const int *in, __global int *out, __global int *length)
{
    int g = get_global_id(0);
    list l;
    l.head = 0;
    l.used = 0;
    for (int k = 0; k < 6; k++)
        insert(&l, in[6 * g + k]);
    node *back = 0;
    while (l.head) {
        node *next = l.head->next;
        l.head->next = back;
        back = l.head;
        l.head = next;
    }
    int n = 0;
    for (node *p = back; p != 0; p = p->next) {
        if (p->next && p->next->value == p->value)
            p->next = p->next->next;
        out[6 * g + n++] = p->value * 10 + (int)(p - l.pool);
    }
    length[g] = n;
}
