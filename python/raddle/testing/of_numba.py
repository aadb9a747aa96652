"""Kernels of Numba, through libnvJitLink of this package. They need numba-cuda with NVIDIA's nvidia-nvvm,
nvidia-cuda-nvrtc and nvidia-cuda-runtime, which make the PTX."""

import sys
import types as python_types
from unittest import mock

import numpy as np

from . import Compiled
from .. import tools

RACES = "error"


def _linker():
    """Puts Raddle's linker where cuda.bindings looks for it."""
    loaded = sys.modules.get("cuda.bindings._internal.nvjitlink")
    ours = str(tools.path("libnvJitLink"))
    tools.load("libnvJitLink")
    with open("/proc/self/maps") as maps:
        others = {line.split()[-1] for line in maps if "libnvJitLink.so" in line} - {ours}
    if loaded and others:
        raise RuntimeError(f"another libnvJitLink was loaded before: {', '.join(sorted(others))}")


def compile(kernel, args, arch, block, more):
    _linker()
    import numba
    from numba import types
    from numba.cuda import compiler

    if block is None:
        raise TypeError("a kernel of Numba needs the number of threads of a block: block=128")
    block = (block,) if isinstance(block, int) else tuple(block)
    options = {name: value for name, value in kernel.targetoptions.items() if name in ("debug", "fastmath", "opt", "lineinfo")}
    options.update(more)
    digits = int("".join(filter(str.isdigit, arch)))
    capability = (digits // 10, digits % 10)
    signature = types.void(*[numba.typeof(value) for value in args])
    # Functions of the device are compiled for the current device.
    device = python_types.SimpleNamespace(compute_capability=capability)
    with mock.patch("numba.cuda.dispatcher.get_current_device", lambda: device):
        library, _ = compiler._compile_pyfunc_with_fixup(kernel.py_func, signature, device=False, cc=capability, abi="numba",
                                                         lto=False, **options)
    cubin = bytes(library.get_cubin(cc=capability).code)
    given = tuple(part for value in args for part in _parts(value))
    return Compiled(library._entry_name, cubin, block + (1,) * (3 - len(block)), 0, given)


def _parts(value):
    """An argument as Numba passes it: an array is its owner, its parent, the number and size of elements, the
    address, shape and strides."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise ValueError("an array is contiguous, its last dimension first")
        return [None, None, value.size, value.itemsize, value, *value.shape, *value.strides]
    if isinstance(value, np.generic):
        return [value.tobytes()]
    if isinstance(value, bool):
        return [bytes([value])]
    if isinstance(value, float):
        return [np.float64(value).tobytes()]
    if isinstance(value, int):
        return [value]
    raise TypeError(f"an argument of a kernel is an array of NumPy or a number, not {value!r}")
