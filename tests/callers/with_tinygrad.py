"""Compiles kernels with tinygrad, without a GPU, through Raddle's libnvJitLink, and runs the cubins in the simulator.

    LD_LIBRARY_PATH=LIBRARIES python tests/callers/with_tinygrad.py RADDLE LIBRARIES

RADDLE is the program, LIBRARIES the folder of the C libraries. Each cubin must hold the note of Raddle, and its results
must be those of numpy.
"""

import os
import sys
from importlib import metadata

# Tensors are of no device of NVIDIA's: only the compiler is asked.
os.environ["DEV"] = "CPU"
# Nothing of tinygrad's cache is read or kept.
os.environ["CCACHE"] = "0"

import numpy as np  # noqa: E402
from tinygrad import Tensor, dtypes  # noqa: E402
from tinygrad.codegen import to_program  # noqa: E402
from tinygrad.helpers import Target  # noqa: E402
from tinygrad.renderer.ptx import PTXRenderer  # noqa: E402
from tinygrad.uop.ops import Ops  # noqa: E402

import simulate  # noqa: E402

raddle, libraries = (os.path.abspath(word) for word in sys.argv[1:3])
rng = np.random.default_rng(3)


def cases():
    """Name, function of tensors, arrays, what is expected, how far off it may be. Each is compiled to one kernel."""
    a, b = rng.standard_normal((2, 64, 64)).astype(np.float32)
    yield "elementwise", lambda a, b: a.exp2() * b + 1, [a, b], np.exp2(a) * b + 1, 1e-6
    yield "sum", lambda a: a.sum(1), [a], a.sum(1), 1e-5
    yield "matmul", lambda a, b: a @ b, [a, b], a @ b, 1e-5
    h, k = a.astype(np.float16), b.astype(np.float16)
    product = h.astype(np.float32) @ k.astype(np.float32)
    yield "tensor_cores", lambda h, k: h.matmul(k, dtype=dtypes.float32), [h, k], product, 1e-4


def main():
    for arch in ("sm_80", "sm_90"):
        renderer = PTXRenderer(Target("NV", "PTX", arch))
        for name, function, arrays, want, off in cases():
            types = {np.dtype(np.float32): dtypes.float32, np.dtype(np.float16): dtypes.half}
            tensors = [Tensor.empty(*array.shape, dtype=types[array.dtype]) for array in arrays]
            [call] = function(*tensors).schedule_linear().src
            program = to_program(call.src[0], renderer)
            [cubin] = [part.arg for part in program.src if part.op is Ops.BINARY]
            [source] = [part.arg for part in program.src if part.op is Ops.SOURCE]
            # What tinygrad's compiler puts in their place.
            source = source.replace("TARGET", arch).replace("VERSION", {"sm_80": "7.5", "sm_90": "7.8"}[arch])
            simulate.keep("tinygrad", arch, source.encode())
            info, out = program.arg, np.full(want.shape, np.nan, np.float32)
            buffers = {tensor.uop.base.key: array for tensor, array in zip(tensors, arrays)}
            given = [buffers.get(call.src[1 + slot].base.key, out) for slot in info.globals]
            assert sum(argument is out for argument in given) == 1, name
            simulate.run(raddle, cubin, info.function_name, info.global_size, info.local_size, given)
            np.testing.assert_allclose(out, want, rtol=off, atol=off)
            print(f"{name} {arch}: ours, right, tinygrad {metadata.version('tinygrad')}")
    with open("/proc/self/maps") as maps:
        linkers = {line.split()[-1] for line in maps if "libnvJitLink.so" in line}
    assert linkers == {os.path.realpath(os.path.join(libraries, "libnvJitLink.so.13"))}, linkers


main()
