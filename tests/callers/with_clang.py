"""Compiles a program in two parts by clang's new driver for offloading, links it, and runs its kernels in the simulator.

    python tests/callers/with_clang.py RADDLE LINKS TOOLKIT

RADDLE is the program, LINKS a folder made by `raddle install --into LINKS`, TOOLKIT a CUDA toolkit. clang++-19 is found in
PATH, with clang-offload-packager, clang-linker-wrapper and clang-nvlink-wrapper beside it. The device code is linked in
three ways: by Raddle as nvlink, which clang-nvlink-wrapper calls; by Raddle as clang-nvlink-wrapper; and after
clang-linker-wrapper has optimised the program as a whole, whose PTX then goes to Raddle as ptxas. Each cubin must hold the
note of Raddle, and its results must be those of numpy.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

import simulate

raddle, links, toolkit = (os.path.abspath(word) for word in sys.argv[1:4])
sources = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clang")
ARCHITECTURES = ("sm_80", "sm_90")
# Native code only.
environment = os.environ | {f"RADDLE_{tool}": "off" for tool in ("PTXAS", "NVLINK", "FATBINARY")}
environment.pop("COMPILER_PATH", None)
# clang 19 includes three headers that CUDA 13 has no more, or that are cuRAND's.
MISSING = ("texture_fetch_functions.h", "texture_indirect_functions.h", "curand_mtgp32_kernel.h")
# What differs between the ways: the tools that are ours, the variables, and the options.
WAYS = {
    "nvlink": (["nvlink"], {}, []),
    "clang-nvlink-wrapper": (["clang-nvlink-wrapper"], {"COMPILER_PATH": links}, []),
    "optimised as a whole": (["ptxas", "nvlink"], {}, ["-foffload-lto"]),
}


def clang(*words, variables):
    """Runs it, and returns what it says."""
    ran = subprocess.run(["clang++-19", *words], env=environment | variables, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 0 and "error" not in ran.stderr, ran.stderr
    return ran.stderr


def program(folder, ours, variables, options):
    """Compiles each part by itself and links them, by these tools; returns the cubins by architecture."""
    shim, tools = os.path.join(folder, "shim"), os.path.join(folder, "tools")
    os.mkdir(shim)
    os.mkdir(tools)
    for header in MISSING:
        open(os.path.join(shim, header), "w").close()
    # clang-linker-wrapper and clang-nvlink-wrapper look for these in PATH.
    for tool in ("ptxas", "nvlink", "fatbinary"):
        os.symlink(os.path.join(links, tool), os.path.join(tools, tool))
    variables = variables | {"PATH": tools + os.pathsep + environment["PATH"]}
    device = ["--offload-new-driver", "-x", "cuda", "-fgpu-rdc", "-O2", f"--cuda-path={toolkit}", "-I", shim]
    device += ["-Wno-unknown-cuda-version", f"--ptxas-path={links}/ptxas", *options]
    device += [f"--offload-arch={arch}" for arch in ARCHITECTURES]
    objects = []
    for part in ("kernels", "functions"):
        objects.append(os.path.join(folder, f"{part}.o"))
        clang(*device, "-c", os.path.join(sources, f"{part}.cu"), "-o", objects[-1], variables=variables)
    path = os.path.join(folder, "program")
    libraries = ["-L", os.path.join(toolkit, "lib"), "-lcudart_static", "-lrt", "-ldl", "-lpthread"]
    said = clang("--offload-link", *options, "-O2", "-Wl,--wrapper-verbose", *objects, *libraries, "-o", path,
                 variables=variables)
    # Those that were meant did it.
    called = re.findall(rf'^ "(?:{tools}|{links})/([^"]*)"', said, re.MULTILINE)
    assert set(called) == {*ours, "fatbinary"}, said
    subprocess.run([path], check=True)
    subprocess.run([os.path.join(links, "cuobjdump"), "-xelf", "all", path], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    found = {}
    for name in os.listdir(folder):
        if match := re.search(r"(sm_\d+)\.cubin$", name):
            with open(os.path.join(folder, name), "rb") as file:
                found[match[1]] = file.read()
    assert sorted(found) == sorted(ARCHITECTURES), found.keys()
    return found


version = subprocess.run(["clang++-19", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
version = re.search(r"version (\S+)", version)[1]
random = np.random.default_rng(3)
for way, settings in WAYS.items():
    with tempfile.TemporaryDirectory() as folder:
        cubins = program(folder, *settings)
    for arch, code in cubins.items():

        def right(kernel):
            print(f"{kernel} {arch}, {way}: ours, right, clang {version}")

        x, y = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
        simulate.run(raddle, code, "scaled", 2, 64, [x, y, ("s32", 100)])
        assert (y == x * np.resize([3, -1, 4, 1], 100)).all(), y
        right("scaled")

        x, y = random.random((3, 128), np.float32), np.zeros(3, np.float32)
        simulate.run(raddle, code, "sums", 3, 128, [x, y])
        np.testing.assert_allclose(y, (x * np.resize([2, 1], 128)).sum(1), rtol=1e-5)
        right("sums")

        x, y = random.random(100, np.float32), np.zeros(100, np.float32)
        simulate.run(raddle, code, "waves", 2, 64, [x, y, ("s32", 100)])
        np.testing.assert_allclose(y, np.sin(x) + np.exp(x) / np.sqrt(x + 2), rtol=1e-5)
        right("waves")

        x, y = random.integers(-9, 9, 64, np.int32), np.zeros(1, np.int32)
        simulate.run(raddle, code, "counts", 1, 64, [x, y, ("s32", 64)])
        assert y[0] == 5 + (x > 0).sum(), y
        right("counts")
