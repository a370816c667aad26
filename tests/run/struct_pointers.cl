// Pointers to struct fields passed to helpers, a pointer walking over an
// array of structs, address arithmetic between fields, enum members.
//
// launch: -k ledger -g 4 -l 2 -a words:1,100,0,2,30,0,1,5,0,0,0,0,2,7,0,2,8,0,1,1000,0,3,9,0 -a zero:4 -a zero:8
// expect 0: 1 100 1098 2 30 1077 1 5 1125 0 0 1135 2 7 0 2 8 0 1 1000 0 3 9 0
// expect 1: 1098 1077 1125 1135
// expect 2: 2 3 3 3 2 2 2 102

enum kind { NONE, DEPOSIT, WITHDRAW, AUDIT };

typedef struct {
    enum kind kind;
    int amount;
    int balance;
} entry;

static void apply(__global const entry *e, int *balance, uint *count)
{
    switch (e->kind) {
    case DEPOSIT: *balance += e->amount; break;
    case WITHDRAW: *balance -= e->amount; break;
    case AUDIT: *count += 100;
    case NONE: return;
    }
    ++*count;
}

__kernel void ledger(__global entry *entries, __global int *totals, __global uint *info)
{
    int g = get_global_id(0);
    struct { int balance; uint counts[2]; } mine = { g * 10, { 0, 1 } };
    __global entry *end = entries + 8;
    for (__global entry *e = entries; e != end; e++)
        if ((e - entries) % 4 == g || e->kind == DEPOSIT)
            apply(e, &mine.balance, &mine.counts[(e - entries) >> 2]);
    totals[g] = mine.balance;
    for (int k = 0; k < 2; k++)
        info[2 * g + k] = mine.counts[k];
    entries[g].balance = mine.balance;
}
