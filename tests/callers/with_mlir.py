"""Compiles kernels of MLIR by mlir-opt, whose pass gpu-module-to-binary starts ptxas, through Raddle in its place, and runs
the cubins in the simulator.

    python tests/callers/with_mlir.py RADDLE LINKS

RADDLE is the program, LINKS a folder made by `raddle install --into LINKS`. mlir-opt-19 is found in PATH. Each cubin must
hold the note of Raddle, and its results must be those of numpy.
"""

import os
import re
import subprocess
import sys

import numpy as np

import simulate

raddle, links = (os.path.abspath(word) for word in sys.argv[1:3])
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.mlir")
# mlir-opt looks for ptxas in PATH; native code only.
environment = os.environ | {"PATH": links + os.pathsep + os.environ["PATH"], "RADDLE_PTXAS": "off"}


def cubin(arch):
    """The cubin in what mlir-opt prints: a string in which bytes are a backslash and two digits."""
    pipeline = f"cubin-chip={arch} cubin-features=+ptx78 opt-level=3 cubin-format=bin"
    pipeline += " kernel-bare-ptr-calling-convention=true"
    command = ["mlir-opt-19", source, f"--gpu-lower-to-nvvm-pipeline={pipeline}"]
    text = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
    literal = re.search(rb'bin = "((?:[^"\\]|\\.)*)"', text).group(1)
    return re.sub(rb"\\([0-9A-Fa-f]{2}|.)", lambda m: bytes.fromhex(m[1].decode()) if len(m[1]) == 2 else m[1], literal)


version = subprocess.run(["mlir-opt-19", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
version = re.search(r"version (\S+)", version).group(1)
random = np.random.default_rng(1)
for arch in ("sm_80", "sm_90"):
    code = cubin(arch)

    x, y = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
    simulate.run(raddle, code, "scale", 2, 64, [x, y, ("s32", 99)])
    want = 5 * x - 3
    want[99] = 0
    assert (y == want).all(), y
    print(f"scale {arch}: ours, right, mlir-opt {version}")

    x, y = random.integers(-1000, 1000, (8, 128), np.int32), np.zeros(8, np.int32)
    simulate.run(raddle, code, "sums", 8, 128, [x, y])
    assert (y == x.sum(1)).all(), y
    print(f"sums {arch}: ours, right, mlir-opt {version}")

    a, b = random.random((16, 32), np.float32), random.random((32, 16), np.float32)
    c = np.zeros((16, 16), np.float32)
    simulate.run(raddle, code, "matmul", 1, (16, 16), [a, b, c])
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)
    print(f"matmul {arch}: ours, right, mlir-opt {version}")
