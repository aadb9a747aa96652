"""CUDA C++: programs that check themselves, compiled by nvcc with one or another ptxas and nvlink behind it.

$CALLERS_NVCC is the nvcc, $CALLERS_EXES the folder of the programs. A program that is there already is not compiled again.
"""

import os
import re
import subprocess

import numpy as np

import common
from common import Outcome

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cuda")
NVCC = os.environ.get("CALLERS_NVCC", "nvcc")
EXES = os.environ.get("CALLERS_EXES", "/tmp/callers-exes")

# Name: files and options.
PROGRAMS = {name: [f"{name}.cu"] for name in ("reduce", "warps", "atomics", "objects", "memory", "tensor", "numbers", "cub", "thrust")}
PROGRAMS |= {
    "numbers_fast": ["numbers.cu", "-use_fast_math", "-DFAST"],
    "children": ["children.cu", "-rdc=true"],
    "parts": ["parts_a.cu", "parts_b.cu", "-rdc=true"],
    "parts_o0": ["parts_a.cu", "parts_b.cu", "-rdc=true", "-Xptxas", "-O0"],
    "warps_debug": ["warps.cu", "-G"],
    "objects_debug": ["objects.cu", "-G"],
    "objects_o1": ["objects.cu", "-Xptxas", "-O1"],
    "reduce_32_registers": ["reduce.cu", "-maxrregcount=32"],
    "atomics_lines": ["atomics.cu", "-lineinfo"],
    "memory_80": ["memory.cu", "-gencode=arch=compute_80,code=sm_80"],
}
TIMED = ("reduce", "atomics", "memory", "tensor", "numbers", "numbers_fast", "cub", "thrust", "reduce_32_registers")


def compiled(name):
    path = os.path.join(EXES, name)
    if not os.path.exists(path):
        os.makedirs(EXES, exist_ok=True)
        words = PROGRAMS[name]
        words = [NVCC, "-O3", "-std=c++17", "--extended-lambda", *os.environ.get("CALLERS_NVCC_FLAGS", "").split(), *words]
        if not any("-gencode" in word for word in words):
            words.append("-gencode=arch=compute_90,code=sm_90")
        ran = subprocess.run([*words, "-o", path + ".new"], cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ran.returncode:
            raise RuntimeError(f"nvcc: {ran.stdout[-1000:]}")
        os.replace(path + ".new", path)
    return path


def started(path, *words):
    """Runs a program; what it printed. It must have found nothing wrong."""
    ran = subprocess.run([path, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=35)
    if ran.returncode:
        raise RuntimeError(f"exit code {ran.returncode}: " + "\n".join(ran.stdout.splitlines()[-12:])[-900:])
    assert re.search(r"digest \w+ wrong 0", ran.stdout), ran.stdout[-500:]
    return ran.stdout


def program(name):
    def run(big=False):
        path = compiled(name)
        # Code of sm_80 is not run by sm_90; there is no PTX in the program.
        if name == "memory_80" or os.environ.get("CALLERS_COMPILE_ONLY"):
            return Outcome(np.zeros(1), None)
        if big:
            return Outcome(None, None, measure=lambda: {key: float(value) for key, value in re.findall(r"^ms (\S+) (\S+)$", started(path, "time"), re.M)})
        return Outcome(np.frombuffer(started(path).encode(), np.uint8), None)

    if name in TIMED:
        run.timed = True
    return run


for name in PROGRAMS:
    common.add_case(name, program(name))

if __name__ == "__main__":
    common.main(median=lambda measure: measure())
