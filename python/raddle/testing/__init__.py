"""Tests of kernels without a GPU: a kernel of Triton or Numba is compiled for an architecture through Raddle, and runs
in the simulator on arrays of NumPy.

    @pytest.mark.parametrize("arch", testing.ARCHITECTURES)
    def test_vector_add(arch):
        x, y = np.random.rand(2, 300).astype(np.float32)
        out = np.empty_like(x)
        testing.launch(vector_add, 3, x, y, out, x.size, arch=arch, BLOCK=128)
        np.testing.assert_array_equal(out, x + y)

A stray access, a read of memory that was never written, a missing wait and a race end a run with `raddle.RunError`,
which says at which instruction and in which thread. That the machine code is Raddle's alone is checked.
"""

import dataclasses

import raddle

#: The architectures that `launch` takes.
ARCHITECTURES = tuple(raddle.architectures())


@dataclasses.dataclass(frozen=True)
class Launched:
    """What was compiled and run."""

    #: The name of the kernel in the cubin.
    kernel: str
    #: The cubin.
    cubin: bytes
    #: Races that were found and did not end the run.
    races: tuple


@dataclasses.dataclass(frozen=True)
class Compiled:
    """A kernel, compiled for arguments of these types, and how it is started."""

    kernel: str
    cubin: bytes
    block: tuple
    shared_bytes: int
    #: The arguments as `raddle.run` takes them.
    args: tuple


def launch(kernel, grid, *args, arch, block=None, races=None, seed=0, **more):
    """Compiles a kernel for these arguments and an architecture, such as sm_90, and runs it in the simulator.

    `grid` is a number of blocks, or up to three. Arrays of NumPy are read, and written back. `more` are, for Triton,
    the other arguments by name, constants among them, and options such as `num_warps`, as in a call of the kernel; for
    Numba, options of `cuda.jit`. `block` is the number of threads, for Numba alone.

    `races` is "error" or "warn". Triton's kernels are run with "warn": all threads of a group store a sum that they agree on
    to one word. `seed` is that of the order of warps.
    """
    if arch not in ARCHITECTURES:
        raise ValueError(f"arch is one of {', '.join(ARCHITECTURES)}, not {arch}")
    frontend = _frontend(kernel)
    compiled = frontend.compile(kernel, args, arch, block, more)
    note(compiled.cubin)
    sizes = raddle.parameter_sizes(compiled.cubin, compiled.kernel)
    # Pointers to scratch memory may follow, which only some kernels use.
    given = compiled.args + (None,) * (len(sizes) - len(compiled.args))
    found = raddle.run(compiled.cubin, compiled.kernel, grid, compiled.block, given, shared_bytes=compiled.shared_bytes,
                       seed=seed, races=races or frontend.RACES)
    return Launched(compiled.kernel, compiled.cubin, tuple(found))


def note(cubin):
    """Checks that all machine code of a cubin is Raddle's, by the notes that compilers leave in it."""
    if b"\0raddle\0Raddle " not in cubin or b"\0ptxas\0" in cubin:
        raise AssertionError("another compiler made the cubin, or a part of it")


def _frontend(kernel):
    bases = {base.__module__.partition(".")[0] for base in type(kernel).__mro__}
    # What no package is needed for stays without it.
    if "triton" in bases:
        from . import of_triton as frontend
    elif "numba" in bases or "numba_cuda" in bases:
        from . import of_numba as frontend
    else:
        raise TypeError(f"neither a kernel of Triton nor one of Numba: {kernel!r}")
    return frontend
