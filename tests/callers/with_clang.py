"""Compiles a program in two parts by clang's new driver for offloading, links it, and runs its kernels in the simulator.

    python tests/callers/with_clang.py RADDLE LINKS TOOLKIT

RADDLE is the program, LINKS a folder made by `raddle install --into LINKS`, TOOLKIT a CUDA toolkit. clang++-19 is found in
PATH, with clang-offload-packager, clang-linker-wrapper and clang-nvlink-wrapper beside it. The device code is linked in
these ways: by Raddle as nvlink, which clang-nvlink-wrapper calls; by Raddle as clang-nvlink-wrapper; the same with
`-foffload-lto`, where clang-linker-wrapper of clang 19 always optimises the program as a whole by itself (also with
`--clang-backend`), so that PTX goes to Raddle as ptxas and an object to it as clang-nvlink-wrapper or nvlink; and without
clang-linker-wrapper, by `clang --target=nvptx64-nvidia-cuda -flto`, which gives clang-nvlink-wrapper, that is Raddle, the
bitcode of the parts, as newer clang-linker-wrappers do, and by Raddle alone from the host objects of `-foffload-lto`. Each
cubin must hold the note of Raddle, and its results must be those of numpy.
"""

import functools
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
PARTS = ("kernels", "functions")
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
    "optimised as a whole, clang-nvlink-wrapper": (
        ["ptxas", "clang-nvlink-wrapper"], {"COMPILER_PATH": links}, ["-foffload-lto"]),
}
# Both forms of an option that clang-nvlink-wrapper has, and Raddle does not need: no ptxas is started.
PTXAS = {"clang -flto": ["--ptxas-path=/no/ptxas"], "clang -flto, separate": ["--ptxas-path", "/no/ptxas"]}


def clang(*words, variables):
    """Runs it, and returns what it says."""
    ran = subprocess.run(["clang++-19", *words], env=environment | variables, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 0 and "error:" not in ran.stderr, ran.stderr
    return ran.stderr


def device(folder):
    """The options for device code, with a folder of the headers that are missing."""
    shim = os.path.join(folder, "shim")
    os.mkdir(shim)
    for header in MISSING:
        open(os.path.join(shim, header), "w").close()
    return ["-x", "cuda", "-fgpu-rdc", "-O2", f"--cuda-path={toolkit}", "-I", shim, "-Wno-unknown-cuda-version"]


def linked_by_us(folder, more):
    """The bitcode of each part for each architecture, linked by clang through us; returns the cubins."""
    words, found = device(folder), {}
    for arch in ARCHITECTURES:
        parts = []
        for part in PARTS:
            parts.append(os.path.join(folder, f"{part}.{arch}.bc"))
            clang(*words, f"--offload-arch={arch}", "--cuda-device-only", "-emit-llvm", "-c",
                  os.path.join(sources, f"{part}.cu"), "-o", parts[-1], variables={})
        path = os.path.join(folder, f"{arch}.cubin")
        extra = [part for word in [*more, "--explain"] for part in ("-Xlinker", word)]
        said = clang("--target=nvptx64-nvidia-cuda", f"-march={arch}", "-flto", "-O2", "-v", *extra, *parts, "-o", path,
                     variables={"COMPILER_PATH": links})
        # One tool linked, and it is ours; it is given LLVM IR, and its link-time optimisation ran.
        called = re.findall(r'^ "([^"]*)"', said, re.MULTILINE)
        assert [os.path.basename(word) for word in called] == ["clang", "clang", "clang-nvlink-wrapper"], said
        assert os.path.dirname(called[-1]) == links and "phase I (link)" in said, said
        with open(path, "rb") as file:
            found[arch] = file.read()
    return found


def objects_of(folder, *options, variables):
    """The host objects of all parts, with device code for all architectures."""
    words = [*device(folder), "--offload-new-driver", *(f"--offload-arch={arch}" for arch in ARCHITECTURES), *options]
    objects = []
    for part in PARTS:
        objects.append(os.path.join(folder, f"{part}.o"))
        clang(*words, "-c", os.path.join(sources, f"{part}.cu"), "-o", objects[-1], variables=variables)
    return objects


def linked_alone(folder):
    """Host objects with LLVM IR, linked by `raddle link`; returns the cubins by architecture."""
    objects, found = objects_of(folder, "-foffload-lto", variables={}), {}
    for arch in ARCHITECTURES:
        path = os.path.join(folder, f"{arch}.cubin")
        ran = subprocess.run([raddle, "link", "--arch", arch, "--explain", *objects, "-o", path], env=environment,
                             stderr=subprocess.PIPE, text=True)
        assert ran.returncode == 0 and "phase I (link)" in ran.stderr, ran.stderr
        with open(path, "rb") as file:
            found[arch] = file.read()
    return found


def program(folder, ours, variables, options):
    """Compiles each part by itself and links them, by these tools; returns the cubins by architecture."""
    tools = os.path.join(folder, "tools")
    os.mkdir(tools)
    # clang-linker-wrapper and clang-nvlink-wrapper look for these in PATH.
    for tool in ("ptxas", "nvlink", "fatbinary"):
        os.symlink(os.path.join(links, tool), os.path.join(tools, tool))
    variables = variables | {"PATH": tools + os.pathsep + environment["PATH"]}
    objects = objects_of(folder, f"--ptxas-path={links}/ptxas", *options, variables=variables)
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
ways = {way: functools.partial(program, ours=ours, variables=variables, options=options)
        for way, (ours, variables, options) in WAYS.items()}
ways |= {way: functools.partial(linked_by_us, more=more) for way, more in PTXAS.items()}
ways["raddle link"] = linked_alone
for way, make in ways.items():
    with tempfile.TemporaryDirectory() as folder:
        cubins = make(folder)
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
