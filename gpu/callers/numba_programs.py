"""Numba: kernels linked by libnvJitLink, NVIDIA's or the one that $CALLERS_NVJITLINK names."""

import ctypes
import math
import os

LIBRARY = os.environ.get("CALLERS_NVJITLINK")
if LIBRARY:
    # Numba takes the library that the process has loaded already.
    ctypes.CDLL(LIBRARY, mode=ctypes.RTLD_GLOBAL)

import numpy as np
from numba import cuda, float32, int32, int64

import common
from common import Outcome, case

rng = np.random.default_rng(11)


@cuda.jit(lto=False)
def axpy(a, x, y):
    at = cuda.grid(1)
    if at < y.shape[0]:
        y[at] += a * x[at]


@cuda.jit(lto=False)
def total(x, out):
    part = cuda.shared.array(64, int64)
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
    left, right = cuda.shared.array((16, 16), float32), cuda.shared.array((16, 16), float32)
    column, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    sum_ = float32(0)
    for step in range(a.shape[1] // 16):
        left[y, x] = a[row, x + step * 16]
        right[y, x] = b[y + step * 16, column]
        cuda.syncthreads()
        for k in range(16):
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
        v = x[at]
        out[0, at] = logistic(v) + math.sin(v) * math.sqrt(abs(v))
        out[1, at] = math.erf(v) + math.lgamma(abs(v) + 0.1)
        out[2, at] = math.atan2(v, 2.0) + math.log1p(abs(v)) + math.pow(abs(v), 1.7)
        out[3, at] = v // 0.3 + v % 0.7


@cuda.jit(lto=False)
def walks(steps, out):
    """Local memory, integers, warps."""
    at = cuda.grid(1)
    local = cuda.local.array(16, int32)
    for k in range(16):
        local[k] = k * at
    for k in range(steps.size):
        local[steps[k] & 15] += local[(steps[k] >> 4) & 15] ^ k
    sum_ = 0
    for k in range(16):
        sum_ += local[k] * (k + 1)
    sum_ += cuda.shfl_xor_sync(0xFFFFFFFF, sum_, 3) + cuda.popc(cuda.ballot_sync(0xFFFFFFFF, (sum_ & 1) == 1))
    out[at] = sum_


def ours():
    """Which library linked."""
    with open("/proc/self/maps") as maps:
        loaded = {line.split()[-1] for line in maps if "libnvJitLink" in line}
    expected = {os.path.realpath(LIBRARY)} if LIBRARY else loaded
    assert loaded == expected, f"linked by {loaded}"


def started(kernel, grid, block, *arguments):
    given = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    kernel[grid, block](*given)
    cuda.synchronize()
    ours()
    return given[-1].copy_to_host()


@case
def case_axpy():
    x, y = rng.standard_normal((2, 10_000)).astype(np.float32)
    return Outcome(started(axpy, 79, 128, np.float32(2), x, y), np.float64(2) * x + y, 1e-6)


@case
def case_sum():
    x = rng.integers(-9, 9, 3000)
    return Outcome(started(total, 47, 64, x, np.zeros(1, np.int64)), x.sum().reshape(1), 0)


@case
def case_matmul():
    a, b = rng.standard_normal((2, 64, 64)).astype(np.float32)
    return Outcome(started(matmul, (4, 4), (16, 16), a, b, np.zeros_like(a)), a.astype(np.float64) @ b, 1e-5)


@case
def case_functions():
    x = rng.standard_normal(2000)
    p = abs(x)
    want = [1 / (1 + np.exp(-x)) + np.sin(x) * np.sqrt(p), [math.erf(v) + math.lgamma(abs(v) + 0.1) for v in x],
            np.arctan2(x, 2) + np.log1p(p) + p**1.7, x // 0.3 + x % 0.7]
    return Outcome(started(functions, 16, 128, x, np.zeros((4, 2000))), np.array(want), 1e-12)


@case
def case_walks():
    steps = rng.integers(0, 256, 50).astype(np.int32)
    have = started(walks, 2, 64, steps, np.zeros(128, np.int64))
    sums = []
    for at in range(128):
        local = [k * at for k in range(16)]
        for k, s in enumerate(steps.tolist()):
            value = local[s & 15] + (local[s >> 4 & 15] ^ k)
            local[s & 15] = (value + 2**31) % 2**32 - 2**31
        sums.append(sum(v * (k + 1) for k, v in enumerate(local)))
    want = []
    for at in range(128):
        odd = sum(s & 1 for s in sums[at // 32 * 32:at // 32 * 32 + 32])
        want.append(sums[at] + sums[at ^ 3] + odd)
    return Outcome(have, np.array(want), 0)


if __name__ == "__main__":
    common.main(synchronize=cuda.synchronize)
