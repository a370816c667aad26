"""Launches kernels through their registers, with the memory and the AXI4-Lite master of cocotbext-axi."""

import json
import os
import random
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam

MEMORY = 1 << 18
CONTROL = 0x00
START, DONE, FAULT = 1, 2, 8

REPORT = json.load(open(os.environ["SLUICE_REPORT"]))
KERNEL = REPORT["kernels"][0]
NAME = KERNEL["kernel"]


def words(values):
    return struct.pack(f"<{len(values)}I", *values)


def modulo(values):
    return [value % 2**32 for value in values]


class Launch:
    """Arguments, buffers by name and address, and what these hold afterwards."""

    def __init__(self, chance):
        size = 250
        draw = lambda count: [chance.randrange(2**32) for _ in range(count)]
        # Buffers lie across the border of two pages, and most end in the middle of a line.
        self.items, self.scalars = size, {}
        if NAME == "add":
            a, b = draw(size), draw(size)
            self.before = {"a": (0x0F80, a), "b": (0x2FC0, b), "c": (0x4F40, [0] * size)}
            self.after = {"c": modulo([x + y for x, y in zip(a, b)])}
        elif NAME == "rows":
            n, self.items = 24, 100
            a, b = draw(n * self.items), draw(n)
            self.scalars = {"n": n}
            self.before = {"a": (0x0F80, a), "b": (0x8FC0, b), "c": (0xAF80, [0] * self.items)}
            row = lambda i: sum(x * y for x, y in zip(a[i * n : i * n + n], b))
            self.after = {"c": modulo([row(i) for i in range(self.items)])}
        elif NAME == "swap_halves":
            middle = 4096
            a = draw(2 * middle)
            self.scalars = {"middle": middle}
            self.before = {"a": (0x1F00, a)}
            swapped = a.copy()
            for i in range(size):
                swapped[i], swapped[i + middle] = a[i + middle] + 1, a[i] + 2
            self.after = {"a": modulo(swapped)}
        elif NAME == "count":
            a = draw(size)
            self.before = {"a": (0x0F80, a), "bins": (0x4FC0, [0] * 64)}
            self.after = {"bins": [sum(x % 64 == bin for x in a) for bin in range(64)]}
        else:
            raise ValueError(f"no launch of {NAME}")

    def argument(self, name):
        group = 50
        fixed = {
            "num_groups_0": self.items // group,
            "local_size_0": group,
            "group_size": group,
            "global_offset_0": 0,
            "total": self.items,
            "resident": 1,
        }
        if name.startswith("base_"):
            return self.before[name.removeprefix("base_")][0]
        if name.startswith("bytes_"):
            return 4 * len(self.before[name.removeprefix("bytes_")][1])
        if name.startswith("arg_"):
            return self.scalars[name.removeprefix("arg_")]
        return fixed[name]


class Bench:
    def __init__(self, dut, chance):
        self.dut = dut
        self.chance = chance
        cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
        reset = dict(reset=dut.aresetn, reset_active_level=False)
        self.ram = AxiRam(AxiBus.from_prefix(dut, "m_axi_mem"), dut.aclk, size=MEMORY, **reset)
        slave = AxiLiteBus.from_prefix(dut, "s_axi_control")
        self.host = AxiLiteMaster(slave, dut.aclk, **reset)
        self.bursts = {"ar": 0, "aw": 0}
        self.longest = {"ar": 0, "aw": 0}

    async def reset(self):
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.aclk, 4)
        self.dut.aresetn.value = 1
        await RisingEdge(self.dut.aclk)
        for channel in self.bursts:
            cocotb.start_soon(self.watch(channel))
        for channel in ["w"]:
            cocotb.start_soon(self.watch(channel))

    def stall(self, percent):
        """Makes each channel of the memory pause in as many of a hundred cycles, at random."""

        def pauses(chance):
            while True:
                yield chance.randrange(100) < percent

        memory = self.ram
        channels = [memory.write_if.aw_channel, memory.write_if.w_channel, memory.write_if.b_channel]
        channels += [memory.read_if.ar_channel, memory.read_if.r_channel]
        for channel in channels:
            channel.set_pause_generator(pauses(random.Random(self.chance.randrange(2**32))))

    async def watch(self, channel):
        """What is valid stays, and stays the same, until it is taken. Counts bursts and their beats."""
        signal = lambda name: getattr(self.dut, f"m_axi_mem_{channel}{name}")
        names = ["data", "strb", "last"] if channel == "w" else ["addr", "len", "size", "burst"]
        waiting = None
        while True:
            await RisingEdge(self.dut.aclk)
            valid = int(signal("valid").value)
            payload = [int(signal(name).value) for name in names] if valid else None
            assert waiting is None or payload == waiting, f"{channel}: {waiting} became {payload}"
            waiting = payload if valid and not int(signal("ready").value) else None
            if valid and waiting is None and channel != "w":
                self.bursts[channel] += 1
                self.longest[channel] = max(self.longest[channel], payload[1] + 1)

    async def launch(self, launch):
        """Gives the control register when the launch has ended."""
        for address, values in launch.before.values():
            self.ram.write(address, words(values))
        for argument in KERNEL["arguments"]:
            value = launch.argument(argument["name"])
            await self.host.write_dword(argument["offset"], value % 2**32)
            if argument["bits"] > 32:
                await self.host.write_dword(argument["offset"] + 4, value >> 32)
        await self.host.write_dword(CONTROL, START)
        for _ in range(20_000):
            control = await self.host.read_dword(CONTROL)
            if control & DONE:
                return control
        raise AssertionError("the launch does not end")


async def check_launches(dut, seed, percent):
    chance = random.Random(seed)
    bench = Bench(dut, chance)
    bench.stall(percent)
    await bench.reset()
    # Guard bytes everywhere: nothing else may be written.
    for _ in range(2):
        bench.ram.write(0, bytes([0xA5]) * MEMORY)
        launch = Launch(chance)
        control = await bench.launch(launch)
        assert not control & FAULT, "no response was an error"
        expected = bytearray(bytes([0xA5]) * MEMORY)
        for address, values in launch.before.values():
            expected[address : address + 4 * len(values)] = words(values)
        for name, values in launch.after.items():
            address = launch.before[name][0]
            expected[address : address + 4 * len(values)] = words(values)
        assert bench.ram.read(0, MEMORY) == bytes(expected), "memory holds what is expected"
    dut._log.info(f"bursts: {bench.bursts}, most beats: {bench.longest}")


@cocotb.test()
async def without_stalls(dut):
    await check_launches(dut, 1, 0)


@cocotb.test()
async def with_some_stalls(dut):
    await check_launches(dut, 2, 20)


@cocotb.test()
async def with_many_stalls(dut):
    await check_launches(dut, 3, 70)


async def check_fault(dut, interface):
    """One transfer is answered with SLVERR: the launch ends, and its control register says so."""
    chance = random.Random(4)
    bench = Bench(dut, chance)
    await bench.reset()
    part, name = {"read": (bench.ram.read_if, "_read"), "write": (bench.ram.write_if, "_write")}[interface]
    good, count = getattr(part, name), 0

    async def once_bad(*arguments):
        nonlocal count
        count += 1
        if count == 3:
            raise OSError("this transfer fails")
        return await good(*arguments)

    setattr(part, name, once_bad)
    control = await bench.launch(Launch(chance))
    assert count >= 3 and control & FAULT, f"control is {control:#x} after {count} transfers"
    # A launch that memory answers well clears it.
    control = await bench.launch(Launch(chance))
    assert not control & FAULT, f"control is {control:#x} after a good launch"


@cocotb.test()
async def a_failed_read_is_noticed(dut):
    await check_fault(dut, "read")


@cocotb.test()
async def a_failed_write_is_noticed(dut):
    await check_fault(dut, "write")
