// A small stack machine: a switch inside a loop whose cases leave by break,
// continue (two different latches) and return. Each work-item runs one of
// three programs with its own input.
//
// launch: -k machine -g 18 -l 6 -a values:1,0,2,1,6,5,1,7,8,0,0,0,2,3,4,7,6,1,5,9,8,0,0,0,1,2,3,6,7,6,5,2,4,9,8,0 -a iota:18 -a zero:18
// expect 2: -2 2040007 2526505 -2 2040007 3132505 -2 2040007 3738505 -2 2040007 3940511 -2 2040007 3940002 -2 2040007
// expect 2: 3940005
// launch: -k machine -g 4 -l 1 -a values:8,0,0,0,0,0,0,0,0,0,0,0,1,8,0,0,0,0,0,0,0,0,0,0,9,9,9,9,9,9,9,9,9,9,9,9 -a fill:4:5 -a zero:4
// expect 2: 101999 102005 999 101999

enum { HALT_ZERO, PUSH_INPUT, PUSH_SEVEN, ADD, MUL, DUP, DEC, JUMP_IF_POSITIVE, HALT, NOP };

#define PROGRAM 12

__kernel void machine(__global const uchar *code, __global const int *input, __global int *out)
{
    const int id = (int)get_global_id(0);
    __global const uchar *program = code + (id % 3) * PROGRAM;
    int stack[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int top = 0, fuel = 40, pc = 0, executed = 0;

    while (fuel-- > 0) {
        if (pc >= PROGRAM)
            break;
        uchar op = program[pc++];
        if (op == NOP)
            continue;
        executed++;
        switch (op) {
        case PUSH_INPUT:
            stack[top++ & 7] = input[id];
            continue;
        case PUSH_SEVEN:
            stack[top++ & 7] = 7;
            break;
        case ADD:
        case MUL: {
            if (top < 2)
                continue;
            int b = stack[--top & 7];
            int a = stack[--top & 7];
            stack[top++ & 7] = op == ADD ? a + b : (int)((uint)a * (uint)b & 0xffffu);
            break;
        }
        case DUP:
            if (top) {
                int t = stack[(top - 1) & 7];
                stack[top & 7] = t;
                top++;
            }
            break;
        case DEC:
            if (top)
                stack[(top - 1) & 7]--;
            break;
        case JUMP_IF_POSITIVE:
            if (top && stack[(top - 1) & 7] > 0)
                pc -= 2;
            break;
        case HALT_ZERO:
            out[id] = -executed;
            return;
        default:
            fuel = 0;
        }
        executed += 100;
    }
    out[id] = executed * 1000 + (top ? stack[(top - 1) & 7] & 511 : 999);
}
