"""Compiles kernels with numba-cuda, without a GPU, through Raddle's libnvJitLink, and runs the cubins in the simulator.

    LD_LIBRARY_PATH=LIBRARIES python tests/callers/with_numba.py RADDLE LIBRARIES

RADDLE is the program, LIBRARIES the folder of the C libraries. Each cubin must hold the note of Raddle, and its results
must be those of numpy. cuda.core links what NVRTC makes of C++, too.
"""

import math
import os
import sys
import types as python_types
from importlib import metadata
from unittest import mock

import numba
import numpy as np
from cuda.bindings import nvrtc
from cuda.core import Linker, LinkerOptions, ObjectCode
from numba import cuda, float32, types
from numba.cuda import compiler

import simulate

raddle, libraries = (os.path.abspath(word) for word in sys.argv[1:3])
TILE = 16


@cuda.jit(lto=False)
def axpy(a, x, y):
    at = cuda.grid(1)
    if at < y.shape[0]:
        y[at] += a * x[at]


@cuda.jit(lto=False)
def total(x, out):
    """The sum of a block in shared memory, then of all blocks by an atomic operation."""
    part = cuda.shared.array(64, types.int64)
    thread, at = cuda.threadIdx.x, cuda.grid(1)
    part[thread] = x[at] if at < x.size else 0
    width = 32
    while width > 0:
        cuda.syncthreads()
        if thread < width:
            part[thread] += part[thread + width]
        width //= 2
    if thread == 0:
        cuda.atomic.add(out, 0, part[0])


@cuda.jit(lto=False)
def matmul(a, b, out):
    left, right = cuda.shared.array((TILE, TILE), float32), cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    sum_ = float32(0)
    for step in range(a.shape[1] // TILE):
        left[y, x] = a[row, x + step * TILE]
        right[y, x] = b[y + step * TILE, column]
        cuda.syncthreads()
        for k in range(TILE):
            sum_ += left[y, k] * right[k, x]
        cuda.syncthreads()
    out[row, column] = sum_


@cuda.jit(device=True)
def logistic(x):
    return 1 / (1 + math.exp(-x))


@cuda.jit(lto=False)
def functions(x, out):
    at = cuda.grid(1)
    if at < x.size:
        out[at] = logistic(x[at]) + math.sin(x[at]) * math.sqrt(abs(x[at]))


rng = np.random.default_rng(11)


def cases():
    """Name, kernel, blocks, threads, arguments, the result among them, what is expected, how far off it may be."""
    x, y = rng.standard_normal((2, 100)).astype(np.float32)
    yield axpy, 4, 32, [np.float32(2), x, y], 2, np.float32(2) * x + y, 1e-6
    x, out = rng.integers(-9, 9, 300), np.zeros(1, np.int64)
    yield total, 5, 64, [x, out], 1, x.sum(), 0
    a, b = rng.standard_normal((2, 32, 32)).astype(np.float32)
    yield matmul, (2, 2), (TILE, TILE), [a, b, np.zeros_like(a)], 2, a @ b, 1e-5
    x = rng.standard_normal(200)
    yield functions, 2, 128, [x, np.zeros_like(x)], 1, 1 / (1 + np.exp(-x)) + np.sin(x) * np.sqrt(abs(x)), 1e-14


def parts(value):
    """An argument as Numba passes it: an array is its owner, its parent, number and size of elements, address, shape and
    strides."""
    if isinstance(value, np.ndarray):
        numbers = lambda values: [("s64", number) for number in values]
        return [None, None, *numbers((value.size, value.itemsize)), value, *numbers(value.shape), *numbers(value.strides)]
    return [("f32", value)]


def numba_kernels():
    for capability in ((8, 0), (9, 0)):
        for kernel, grid, block, values, result, want, off in cases():
            signature = types.void(*[numba.typeof(value) for value in values])
            # Functions of the device are compiled for the current device.
            device = python_types.SimpleNamespace(compute_capability=capability)
            with mock.patch("numba.cuda.dispatcher.get_current_device", lambda: device):
                library, _ = compiler._compile_pyfunc_with_fixup(
                    kernel.py_func, signature, device=False, cc=capability, abi="numba", lto=False)
            cubin = bytes(library.get_cubin(cc=capability).code)
            name, version = kernel.py_func.__name__, metadata.version("numba-cuda")
            arch = f"sm_{capability[0]}{capability[1]}"
            simulate.keep("numba-cuda", arch, library.get_asm_str(cc=capability).encode())
            values = [value.copy() if isinstance(value, np.ndarray) else value for value in values]
            arguments = [part for value in values for part in parts(value)]
            simulate.run(raddle, cubin, library._entry_name, grid, block, arguments)
            np.testing.assert_allclose(values[result], want, rtol=off, atol=off)
            print(f"{name} {arch}: ours, right, numba-cuda {version}")


KERNEL = 'extern __device__ int f(int); extern "C" __global__ void k(int *p) { p[threadIdx.x] = f(p[threadIdx.x]); }'
CALLEE = "__device__ int f(int x) { return 3 * x + 5; }"


def by_nvrtc(code, arch):
    """PTX of C++."""
    done, program = nvrtc.nvrtcCreateProgram(code.encode(), b"k.cu", 0, [], [])
    options = [f"--gpu-architecture={arch.replace('sm', 'compute')}".encode(), b"-rdc=true"]
    [compiled] = nvrtc.nvrtcCompileProgram(program, len(options), options)
    size, length = nvrtc.nvrtcGetPTXSize(program)
    ptx = bytearray(length)
    [copied] = nvrtc.nvrtcGetPTX(program, ptx)
    assert {done, compiled, size, copied} == {nvrtc.nvrtcResult.NVRTC_SUCCESS}
    return bytes(ptx)


def cuda_core():
    """Two modules of C++, linked."""
    for arch in ("sm_80", "sm_90"):
        texts = [by_nvrtc(code, arch) for code in (KERNEL, CALLEE)]
        modules = [ObjectCode.from_ptx(text) for text in texts]
        for text in texts:
            simulate.keep("cuda-core", arch, text, "-c")
        cubin = bytes(Linker(*modules, options=LinkerOptions(arch=arch)).link("cubin").code)
        data = np.arange(32, dtype=np.int32)
        simulate.run(raddle, cubin, "k", 1, 32, [data])
        np.testing.assert_array_equal(data, 3 * np.arange(32) + 5)
        print(f"linked {arch}: ours, right, cuda-core {metadata.version('cuda-core')}")


def main():
    numba_kernels()
    cuda_core()
    with open("/proc/self/maps") as maps:
        linkers = {line.split()[-1] for line in maps if "libnvJitLink.so" in line}
    assert linkers == {os.path.realpath(os.path.join(libraries, "libnvJitLink.so.13"))}, linkers


main()
