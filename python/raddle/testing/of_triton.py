"""Kernels of Triton, as its own launcher would compile them for a GPU of that architecture."""

import contextlib
import os
import tempfile

import numpy as np
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from . import Compiled
from .. import tools

RACES = "warn"

#: Triton's names of element types that NumPy, or ml_dtypes, calls otherwise.
_ELEMENTS = {
    "bool": "i1", "float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64",
    "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5",
}
#: What a pointer or a number that is a multiple of it is compiled for: vector accesses.
_ALIGNED = 16


def _element(dtype):
    name = np.dtype(dtype).name
    return _ELEMENTS.get(name) or name.replace("uint", "u").replace("int", "i")


def _type(value):
    """The type of an argument in a signature."""
    if value is None:
        raise TypeError("Triton compiles None as a constant: give it as a constexpr")
    if isinstance(value, np.ndarray):
        return f"*{_element(value.dtype)}"
    if isinstance(value, np.generic):
        return _element(value.dtype)
    if isinstance(value, bool):
        return "u1"
    if isinstance(value, int):
        narrow = -(1 << 31) <= value < 1 << 31
        return "i32" if narrow else "i64" if value < 1 << 63 else "u64"
    if isinstance(value, float):
        return "fp32"
    raise TypeError(f"an argument of a kernel is an array of NumPy or a number, not {value!r}")


@contextlib.contextmanager
def _raddle():
    """The environment in which Triton calls Raddle, and keeps nothing."""
    from triton.backends.nvidia import compiler

    names = ("TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH", "TRITON_CACHE_DIR", "RADDLE_PTXAS")
    before = {name: os.environ.get(name) for name in names}
    ptxas = str(tools.path("ptxas"))
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update(zip(names, (ptxas, ptxas, cache, "off")))
        compiler.get_ptxas_version.cache_clear()
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
            compiler.get_ptxas_version.cache_clear()


def compile(kernel, args, arch, block, more):
    if block is not None:
        raise TypeError("num_warps says how many threads a kernel of Triton has")
    more = dict(more)
    parameters = {name: parameter for name, parameter in zip(kernel.arg_names, kernel.params)}
    if len(args) > len(parameters):
        raise TypeError(f"{kernel.__name__} takes {len(parameters)} arguments, not {len(args)}")
    values = dict(zip(parameters, args))
    for name, parameter in parameters.items():
        if name in more:
            if name in values:
                raise TypeError(f"two values for {name}")
            values[name] = more.pop(name)
        elif name not in values:
            if not parameter.has_default:
                raise TypeError(f"no value for {name}")
            values[name] = parameter.default
    signature, constants, attributes, given = {}, {}, {}, []
    for index, (name, parameter) in enumerate(parameters.items()):
        value = values[name]
        if parameter.is_constexpr:
            signature[name], constants[(index,)] = "constexpr", value
            continue
        signature[name] = _type(value)
        given.append(_argument(value))
        aligned = isinstance(value, np.ndarray) or type(value) is int and value % _ALIGNED == 0
        if aligned and not parameter.do_not_specialize and not parameter.do_not_specialize_on_alignment:
            attributes[(index,)] = [["tt.divisibility", _ALIGNED]]
    capability = int("".join(filter(str.isdigit, arch)))
    with _raddle():
        source = ASTSource(kernel, signature, constants, attributes)
        made = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=more)
    metadata = made.metadata
    if getattr(metadata, "num_ctas", 1) != 1:
        raise NotImplementedError("clusters of blocks: num_ctas is 1 here")
    threads = 32 * metadata.num_warps
    return Compiled(metadata.name, made.asm["cubin"], (threads, 1, 1), metadata.shared, tuple(given))


def _argument(value):
    """An argument as `raddle.run` takes it."""
    if isinstance(value, np.generic):
        return value.tobytes()
    if isinstance(value, bool):
        return bytes([value])
    # A float has the four bytes of its parameter.
    return np.float32(value) if isinstance(value, float) else value
