"""Bodies that attract each other, in two dimensions: forces and motion on the device, step by step.

    pip install pyopencl numpy
    python n_body.py
"""

import os
import sys

import numpy as np
import pyopencl as cl

BODIES = 64
STEPS = 4
TIME_STEP = np.float32(0.01)
SOFTENING = np.float32(0.05)

SOURCE = """
__kernel void move(__global const float2 *position, __global const float *mass,
                   __global float2 *velocity, __global float2 *moved, float time, float softening) {
    int me = get_global_id(0), bodies = get_global_size(0);
    float2 here = position[me], force = (float2)(0.0f);
    for (int i = 0; i < bodies; ++i) {
        float2 way = position[i] - here;
        float square = way.x * way.x + way.y * way.y + softening;
        force += way * (mass[i] / (square * sqrt(square)));
    }
    velocity[me] += time * force;
    moved[me] = here + time * velocity[me];
}
"""


def choose_device():
    """The first device of the platform whose name contains OPENCL_PLATFORM, or of the first one."""
    wanted = os.environ.get("OPENCL_PLATFORM", "")
    for platform in cl.get_platforms():
        if wanted in platform.name:
            return platform.get_devices()[0]
    sys.exit(f"no OpenCL platform is called {wanted}")


def step_on_the_host(position, mass, velocity):
    way = position[None, :, :] - position[:, None, :]
    square = (way**2).sum(axis=2) + SOFTENING
    force = (way * (mass[None, :] / (square * np.sqrt(square)))[:, :, None]).sum(axis=1)
    velocity = velocity + TIME_STEP * force
    return position + TIME_STEP * velocity, velocity


def main():
    random = np.random.default_rng(1)
    position = random.uniform(-1, 1, (BODIES, 2)).astype(np.float32)
    mass = random.uniform(0.5, 1.5, BODIES).astype(np.float32)
    velocity = np.zeros((BODIES, 2), np.float32)

    device = choose_device()
    context = cl.Context([device])
    queue = cl.CommandQueue(
        context, properties=cl.command_queue_properties.PROFILING_ENABLE
    )
    move = cl.Program(context, SOURCE).build().move
    flags = cl.mem_flags
    positions = [
        cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=position),
        cl.Buffer(context, flags.READ_WRITE, position.nbytes),
    ]
    masses = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=mass)
    velocities = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=velocity)

    expected, speed = position.astype(np.float64), velocity.astype(np.float64)
    busy = 0
    for _ in range(STEPS):
        ran = move(queue, (BODIES,), None, positions[0], masses, velocities, positions[1],
                   TIME_STEP, SOFTENING)
        ran.wait()
        busy += ran.profile.end - ran.profile.start
        positions.reverse()
        expected, speed = step_on_the_host(expected, mass, speed)

    result = np.empty_like(position)
    cl.enqueue_copy(queue, result, positions[0])
    error = np.abs(result - expected).max()
    print(f"{STEPS} steps of {BODIES} bodies on {device.name} in {busy / 1e3:.1f} us")
    print(f"largest difference from the host: {error:.1e}")
    return 0 if error < 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
