"""Builds kernels and checks their AXI ports with cocotbext-axi, on Icarus Verilog.

usage: run.py SLUICE FOLDER
"""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
# Target, and options of `sluice build`.
CONFIGURATIONS = [
    ("ecp5-85", []),
    ("ecp5-85", ["--memory", "stream"]),
    ("ecp5-85", ["--memory", "cache"]),
    ("ecp5-85", ["--datapaths", "2"]),
    ("arria10-pac", []),
]
# Mistakes that the checks have to find in the kernel `add`: the file, what stands there, what is put in its place.
MISTAKES = {
    "errors of reads are not looked at": ("add_axi.v", "wire fails = (", "wire fails = (1'b0 && "),
    "errors of writes are not looked at": ("add_axi.v", "|| (m_axi_mem_bvalid", "|| (1'b0 && m_axi_mem_bvalid"),
    "a write does not say that it is the last beat": ("sluice_memory_port.v", "assign w  = {1'b1,", "assign w  = {1'b0,"),
    "bursts of reads cross pages": ("sluice_memory_port.v", "assign ar          = {8'd0,", "assign ar          = {8'd15,"),
    "an address does not wait": (
        "sluice_memory_port.v",
        "ar_full <= fetch_grant || (ar_full && !ar_ready);",
        "ar_full <= fetch_grant;",
    ),
    "all bytes of a line are written": ("sluice_memory_port.v", "{back[NUMBER +: LINE],", "{{LINE{1'b1}},"),
}
# The masters have no identifiers; the memory of cocotbext-axi needs them.
IDENTIFIERS = [("awid", "output"), ("bid", "input"), ("arid", "output"), ("rid", "input")]


def with_identifiers(top, text):
    """A module `bench` around the top, with identifiers that are 0."""
    header = re.search(rf"module {top} \((.*?)\);", text, re.S).group(1)
    ports = [port.strip() for port in header.split(",")]
    names = [port.split()[-1] for port in ports]
    added = [f"{direction} wire m_axi_mem_{name}" for name, direction in IDENTIFIERS]
    connected = ", ".join(f".{name}({name})" for name in names)
    driven = "\n".join(f"    assign m_axi_mem_{name} = 1'b0;" for name, way in IDENTIFIERS if way == "output")
    return f"module bench ({', '.join(ports + added)});\n{driven}\n    {top} top ({connected});\nendmodule\n"


def check(folder):
    """Runs all checks of one design; gives its results by name."""
    report = json.loads((folder / "report.json").read_text())
    top = report["module"]
    bench = folder / "bench" / "bench.v"
    bench.parent.mkdir(exist_ok=True)
    bench.write_text(with_identifiers(top, (folder / f"{top}.v").read_text()))
    os.environ["SLUICE_REPORT"] = str(folder / "report.json")
    runner = get_runner("icarus")
    build = bench.parent / "icarus"
    sources = [bench, *sorted(folder.glob("*.v"))]
    runner.build(sources=sources, hdl_toplevel="bench", build_dir=build, timescale=("1ns", "1ps"), always=True)
    results = runner.test(
        hdl_toplevel="bench", test_module="check", test_dir=HERE, build_dir=build, results_xml=str(build / "results.xml")
    )
    cases = xml.parse(results).iter("testcase")
    return {case.get("name"): case.find("failure") is None and case.find("error") is None for case in cases}


def misses(design):
    """The mistakes that the checks do not find in a design."""
    for name, (file, there, instead) in MISTAKES.items():
        copy = design.parents[1] / "mistakes" / re.sub("[^a-z]+", "_", name)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(design, copy, ignore=shutil.ignore_patterns("bench"))
        text = (copy / file).read_text()
        assert text.count(there) == 1, f"{there} stands once in {file}"
        (copy / file).write_text(text.replace(there, instead))
        found = [check for check, passed in check_quietly(copy).items() if not passed]
        print(f"mistake: {name}: found by {', '.join(found) or 'NONE'}")
        if not found:
            yield name


def check_quietly(folder):
    """Like `check`; what the simulation says of the mistake goes to a file."""
    with open(folder / "log.txt", "w") as log:
        saved = [os.dup(1), os.dup(2)]
        sys.stdout.flush()
        os.dup2(log.fileno(), 1), os.dup2(log.fileno(), 2)
        try:
            return check(folder)
        finally:
            os.dup2(saved[0], 1), os.dup2(saved[1], 2)


def main():
    sluice, folder = sys.argv[1], Path(sys.argv[2]).resolve()
    failed = 0
    rows = []
    for target, options in CONFIGURATIONS:
        name = "_".join([target, *(option.strip("-") for option in options)])
        out = folder / name
        shutil.rmtree(out, ignore_errors=True)
        command = [sluice, "build", HERE / "kernels.cl", "--target", target, *options, "-o", out]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for design in sorted(path.parent for path in out.glob("*/report.json")):
            results = check(design)
            failed += len(results) != 5 or not all(results.values())
            units = sorted({it["memory"] for it in json.loads((design / "report.json").read_text())["kernels"][0]["accesses"]})
            rows.append((design.name, " ".join([target, *options]), ", ".join(units), results))
    failed += len(list(misses(folder / "ecp5-85" / "add")))
    print("\n| kernel | design | memory units | checks passed |\n| --- | --- | --- | --- |")
    for kernel, design, units, results in rows:
        print(f"| {kernel} | {design} | {units} | {sum(results.values())} of 5 |")
        for name, passed in results.items():
            if not passed:
                print(f"FAILED: {kernel}, {design}: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
