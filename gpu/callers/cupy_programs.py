"""CuPy: all kernels that CuPy generates, and some of our own, by NVRTC to PTX, by $CALLERS_PTXAS to a cubin.

CuPy asks NVRTC for a cubin; here NVRTC makes PTX, and the ptxas of this variant a cubin of it.
"""

import ctypes
import os
import subprocess
import tempfile

os.environ["CUPY_COMPILE_WITH_PTX"] = "1"

import cupy as cp
import numpy as np
from cupy.cuda import compiler

import common
from common import Outcome, case, timed

PTXAS = os.environ.get("CALLERS_PTXAS", "ptxas")
original = compiler._compile_using_nvrtc_no_warning


def assembled(*words, **named):
    code, mapping = original(*words, **named)
    code = code.encode() if isinstance(code, str) else code
    if not code.lstrip().startswith(b"//"):
        return code, mapping
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = os.path.join(folder, "k.ptx"), os.path.join(folder, "k.cubin")
        with open(source, "wb") as file:
            file.write(code.rstrip(b"\0"))
        ran = subprocess.run([PTXAS, "-arch=sm_90", source, "-o", cubin], stderr=subprocess.PIPE, text=True)
        if ran.returncode:
            raise RuntimeError(f"ptxas: {ran.stderr[-700:]}")
        with open(cubin, "rb") as file:
            return file.read(), mapping


compiler._compile_using_nvrtc_no_warning = assembled


def floats(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def both(function, *arrays, off=1e-6):
    """The same by CuPy and by numpy."""
    want = function(np, *arrays)
    have = function(cp, *(cp.asarray(a) for a in arrays))
    return Outcome(have, want, off)


@case
def elementwise():
    x, y = floats(5000), floats(5000, seed=2)
    return both(lambda m, x, y: [x * y + 1, m.exp(-x * x), m.arctan2(x, y), m.where(x > y, x, m.floor(y)), m.sign(x) * m.sqrt(m.abs(y)),
                                 m.power(m.abs(x), y), m.clip(x, -1, 1), m.maximum(x, y)], x, y, off=1e-5)


@case
def types():
    x = floats(3000) * 25
    return both(lambda m, x: [x.astype(t) for t in ("i1", "i2", "i4", "i8", "f2", "f8")] + [(x.astype("i4") // 7), x.astype("i8") % 13,
                              x.astype("i4") >> 3, m.abs(x.astype("c8") * 1j)], x, off=1e-6)


@case
def reductions():
    x = floats(300, 700, dtype=np.float64)
    return both(lambda m, x: [x.sum(0), x.sum(1), x.mean(), x.max(1), x.argmin(0), x.std(1), m.prod(1 + x * 0.001, 0), m.any(x > 3, 1),
                              m.nansum(x), m.count_nonzero(x > 0, 1)], x, off=1e-12)


@case
def scans_and_indexing():
    x, at = floats(400, 300), np.random.default_rng(3).integers(0, 400, 1000)
    return both(lambda m, x, at: [m.cumsum(x, 1), x[at], m.roll(x, 5, 1), x.T.copy(), m.tril(x), m.bincount(at), m.take(x, at[:50], 0),
                                  m.searchsorted(m.sort(x[0]), x[1]), m.diff(x, axis=1), m.repeat(x, 2, 0), m.histogram(x, 20)[0]], x, at, off=1e-4)


@case
def own_kernels():
    """Kernels in the three forms that CuPy has."""
    x, y = cp.asarray(floats(4000)), cp.asarray(floats(4000, seed=2))
    square = cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y) + i % 7", "squared_difference")
    norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")

    @cp.fuse()
    def fused(x, y):
        return cp.sum(cp.abs(x) * y + 1)

    hx, hy = cp.asnumpy(x).astype(np.float64), cp.asnumpy(y).astype(np.float64)
    return Outcome([square(x, y), norm(x).reshape(1), fused(x, y).reshape(1)],
                   [(hx - hy) ** 2 + np.arange(4000) % 7, np.sqrt((hx * hx).sum()).reshape(1), (abs(hx) * hy + 1).sum().reshape(1)], 1e-4)


RAW = r"""
extern "C" __constant__ float weights[9];
template <typename T> __global__ void blur(const T *x, T *out, int h, int w) {
    __shared__ T tile[18][18];
    int gx = blockIdx.x * 16 + threadIdx.x, gy = blockIdx.y * 16 + threadIdx.y;
    for (int k = threadIdx.y * 16 + threadIdx.x; k < 324; k += 256) {
        int ty = k / 18 + blockIdx.y * 16 - 1, tx = k % 18 + blockIdx.x * 16 - 1;
        tile[k / 18][k % 18] = ty >= 0 && ty < h && tx >= 0 && tx < w ? x[ty * w + tx] : T(0);
    }
    __syncthreads();
    if (gx >= w || gy >= h) return;
    T sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) sum += tile[threadIdx.y + dy][threadIdx.x + dx] * (T)weights[dy * 3 + dx];
    out[gy * w + gx] = sum;
}
"""


@case
@timed
def raw_module(big):
    h, w = (8192, 8192) if big else (100, 150)
    module = cp.RawModule(code=RAW, options=("-std=c++17",), name_expressions=["blur<float>", "blur<double>"])
    weights = np.arange(9, dtype=np.float32) / 36
    pointer = module.get_global("weights")
    pointer.copy_from_host(weights.ctypes.data_as(ctypes.c_void_p), 36)
    x = cp.asarray(floats(h, w)) if not big else cp.ones((h, w), cp.float32)
    out, out64 = cp.zeros_like(x), cp.zeros((100, 150))
    grid = ((w + 15) // 16, (h + 15) // 16)

    def go():
        module.get_function("blur<float>")(grid, (16, 16), (x, out, np.int32(h), np.int32(w)))

    go()
    small = cp.ascontiguousarray(x[:100, :150]).astype(cp.float64)
    module.get_function("blur<double>")((10, 7), (16, 16), (small, out64, np.int32(100), np.int32(150)))
    padded = np.pad(cp.asnumpy(small), 1)
    want = sum(padded[dy:dy + 100, dx:dx + 150] * float(weights[dy * 3 + dx]) for dy in range(3) for dx in range(3))
    return Outcome([out[:99, :149], out64], [want[:99, :149], want], 1e-6, measure=go)


@case
def images_and_signals():
    import cupyx.scipy.ndimage as there
    import scipy.ndimage as here

    x = floats(80, 90)
    names = [("gaussian_filter", 2), ("median_filter", 3), ("sobel", 0), ("rotate", 30.0), ("zoom", 1.5), ("maximum_filter", 4)]
    return Outcome([getattr(there, name)(cp.asarray(x), word) for name, word in names], [getattr(here, name)(x, word) for name, word in names], 1e-3)


@case
def random_numbers():
    generator = cp.random.RandomState(5)
    x = generator.randint(0, 100, 10_000)
    gamma = cp.random.Generator(cp.random.Philox4x3210(7)).standard_gamma(3.0, 50_000)
    assert abs(float(gamma.mean()) - 3) < 0.05 and 45 < float(x.mean()) < 54
    return Outcome([x, gamma], None)


@case
def kernel_in_python():
    from cupyx import jit

    @jit.rawkernel()
    def sums(x, y, n):
        t = jit.threadIdx.x
        part = jit.shared_memory(cp.float32, 128)
        part[t] = cp.float32(0)
        for k in range(t, n, 128):
            part[t] += x[k]
        jit.syncthreads()
        if t == 0:
            s = cp.float32(0)
            for k in range(128):
                s += part[k]
            y[0] = s

    x, y = cp.asarray(floats(5000)), cp.zeros(1, cp.float32)
    sums((1,), (128,), (x, y, cp.int32(5000)))
    return Outcome(y, cp.asnumpy(x).astype(np.float64).sum().reshape(1), 1e-4)


def median(function):
    times = []
    for _ in range(23):
        start, end = cp.cuda.Event(), cp.cuda.Event()
        start.record()
        function()
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(start, end))
    return sorted(times[3:])[10]


if __name__ == "__main__":
    common.main(synchronize=lambda: cp.cuda.Device().synchronize(), median=median)
