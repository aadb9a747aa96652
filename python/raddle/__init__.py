"""Compiles PTX for NVIDIA GPUs, links it, and runs kernels without a GPU.

>>> import raddle
>>> cubin = raddle.compile(ptx, arch="sm_90")
>>> cubin.kernels[0].registers
>>> raddle.run(cubin, "axpy", grid=4, block=256, args=[raddle.f32(2.0), x, y, len(x)])

Buffers among the arguments of a run (NumPy arrays, bytearray, array.array, any writable buffer) are read, and written
back in place. Errors are exceptions: `Error` of a compilation or a link has `diagnostics` with places, `RunError` of a
run says at which instruction and in which thread.
"""

import struct as _struct

from . import _raddle
from ._raddle import Cubin, Diagnostic, Error, Kernel, RunError, __version__

__all__ = [
    "Cubin", "Diagnostic", "Error", "Kernel", "RunError", "architectures", "check", "compile", "f32", "f64", "link",
    "parameter_sizes", "run",
]


def architectures():
    """The names of the architectures for which machine code is made."""
    return _raddle.architectures()


def _settings(arch, opt_level, relocatable, fma, max_registers, line_info, debug, kernels, name, jobs, cache):
    return {
        "arch": arch, "opt_level": opt_level, "relocatable": relocatable, "fma": fma, "max_registers": max_registers,
        "line_info": line_info, "debug": debug, "kernels": list(kernels), "name": name, "jobs": jobs,
        "cache": None if cache is None else str(cache),
    }


def _text(ptx):
    return ptx if isinstance(ptx, str) else bytes(ptx).split(b"\0")[0].decode()


def compile(ptx, *, arch=None, opt_level=3, relocatable=False, fma=True, max_registers=None, line_info=False,
            debug=False, kernels=(), name=None, jobs=None, cache=None):
    """Compiles a PTX module, text or bytes, to a `Cubin`.

    Without `arch` the architecture is that of the module. `relocatable` makes an object for `link`. `kernels` selects
    kernels by name. `cache` is a folder in which compiled kernels are kept. An interrupt cancels it.
    """
    settings = _settings(arch, opt_level, relocatable, fma, max_registers, line_info, debug, kernels, name, jobs, cache)
    return _raddle.compile(_text(ptx), settings)


def check(ptx, *, arch=None, name=None):
    """Checks a PTX module without compiling it; raises `Error` with everything that is wrong or has no code yet."""
    return _raddle.check(_text(ptx), _settings(arch, 3, False, True, None, False, False, (), name, None, None))


def link(inputs, *, arch, opt_level=3, fma=True, max_registers=None, line_info=False, jobs=None, cache=None):
    """Links inputs to an executable `Cubin`: PTX as text; cubins, fatbins, host objects and archives as bytes.

    An input may be a pair of its name in messages and itself.
    """
    named = []
    for number, item in enumerate(inputs):
        name, item = item if isinstance(item, tuple) else (f"<input {number}>", item)
        named.append((name, item if isinstance(item, str) else bytes(item)))
    settings = _settings(arch, opt_level, True, fma, max_registers, line_info, False, (), None, jobs, cache)
    return _raddle.link(named, settings)


class _Number:
    """A number of a certain type, as an argument of a kernel."""

    def __init__(self, code, value):
        self.bytes = _struct.pack(code, value)


def f32(value):
    """A single-precision argument of a kernel."""
    return _Number("<f", value)


def f64(value):
    """A double-precision argument of a kernel."""
    return _Number("<d", value)


def _argument(arg, size):
    """What the module takes for an argument, and the buffer that it is of."""
    if arg is None:
        return ("null", b""), None
    if isinstance(arg, _Number):
        return ("value", arg.bytes), None
    if isinstance(arg, bytes):
        return ("value", arg), None
    if isinstance(arg, int):
        bits = 8 * size
        if not -(1 << (bits - 1)) <= arg < 1 << bits:
            raise OverflowError(f"{arg} does not fit a parameter of {size} bytes")
        return ("value", (int(arg) & ((1 << bits) - 1)).to_bytes(size, "little")), None
    if isinstance(arg, float):
        if size not in (4, 8):
            raise TypeError(f"a float is no argument for a parameter of {size} bytes")
        return ("value", _struct.pack("<f" if size == 4 else "<d", arg)), None
    view = memoryview(arg)
    if view.ndim == 0:
        # A scalar of NumPy or ctypes.
        return ("value", view.tobytes()), None
    if not view.c_contiguous:
        raise ValueError("a buffer is contiguous, its last dimension first")
    return ("buffer", view.tobytes()), view


def parameter_sizes(cubin, kernel):
    """The sizes of the parameters of a kernel in bytes; None if the cubin cannot be read or has no such kernel."""
    return _raddle.parameter_sizes(bytes(cubin), kernel)


def _three(dims):
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    return dims + (1,) * (3 - len(dims))


def run(cubin, kernel, grid=1, block=1, args=(), *, shared_bytes=0, seed=0, races="error"):
    """Runs a kernel of a cubin, of any compiler, in the simulator; a stray access or a race is a `RunError`. With
    `races="warn"` a race is none, and the texts of all that were found are returned.

    Arguments: buffers, which are written back if they are writable; integers and floats, which get the size of their
    parameter; `f32`, `f64` and scalars of NumPy and ctypes; bytes, the value of a structure; None, a null pointer.
    """
    image = bytes(cubin)
    sizes = parameter_sizes(image, kernel)
    if sizes is None:
        raise ValueError(f"the cubin has no kernel '{kernel}'")
    if len(sizes) != len(args):
        raise TypeError(f"'{kernel}' has {len(sizes)} parameters, not {len(args)}")
    pairs = [_argument(arg, size) for arg, size in zip(args, sizes)]
    given = [pair[0] for pair in pairs]
    results, found = _raddle.run(image, kernel, _three(grid), _three(block), given, shared_bytes, seed, races)
    for view, result in zip([pair[1] for pair in pairs if pair[1] is not None], results):
        if not view.readonly:
            view.cast("B")[:] = result
    return found
