"""Links a program that misses a function: PyOpenCL releases the handle that it gets more than once."""
import gc
import warnings

import pyopencl as cl

warnings.simplefilter("ignore")
context = cl.create_some_context(interactive=False)
part = cl.Program(context, "int f(int x); kernel void k(global int *a) { a[0] = f(1); }").compile()
try:
    cl.link_program(context, [part])
except cl.Error as error:
    print(error.routine, error.code)
gc.collect()
print("still here")
