"""Compiles functions with JAX ahead of time, for GPUs that are not there, through Raddle in the place of ptxas and through
its libnvJitLink, and runs the cubins in the simulator.

    python tests/callers/with_jax.py RADDLE LINKS TOOLKIT LIBRARIES

RADDLE is the program, LINKS a folder made by `raddle install --into LINKS`, TOOLKIT a CUDA toolkit, of which only
nvvm/libdevice is used, LIBRARIES the folder of the C libraries. Each cubin must hold the note of Raddle, and its results
must be those of numpy.

XLA can call nvJitLink, but the wheels of JAX are built without that: the script makes the calls of XLA itself, and fails
once JAX does not refuse them.
"""

import ctypes
import os
import re
import sys
import tempfile

raddle, links, toolkit, libraries = (os.path.abspath(word) for word in sys.argv[1:5])
kept = tempfile.TemporaryDirectory()
folder = kept.name
made, dumps = os.path.join(folder, "made"), os.path.join(folder, "dumps")

# What XLA looks for. It deletes the cubins that ptxas made; a script in the place of the link keeps a copy.
os.makedirs(os.path.join(folder, "cuda", "bin"))
os.makedirs(made)
os.symlink(os.path.join(toolkit, "nvvm"), os.path.join(folder, "cuda", "nvvm"))
os.symlink(os.path.join(links, "nvlink"), os.path.join(folder, "cuda", "bin", "nvlink"))
with open(os.path.join(folder, "cuda", "bin", "ptxas"), "w") as script:
    script.write(f"""#!/bin/sh
'{links}/ptxas' "$@" || exit
while [ $# -gt 1 ]; do
    [ "$1" = -o ] && cp "$2" '{made}/'$$
    shift
done
""")
os.chmod(script.name, 0o755)
os.environ["CUDA_ROOT"] = os.path.join(folder, "cuda")
os.environ["XLA_FLAGS"] = f"--xla_dump_to={dumps}"
os.environ["JAX_PLATFORMS"] = "cuda"
# The plugin asks for libraries that only a run needs.
os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
# Native code only.
os.environ["RADDLE_PTXAS"] = "off"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.experimental import topologies  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

import simulate  # noqa: E402

#: A device of each architecture, as XLA describes it: capability, multiprocessors, shared memory in bytes, name.
DEVICES = {
    "sm_80": (8, 0, 108, 166912, "A100-SXM4-40GB"),
    "sm_90": (9, 0, 132, 232448, "H100-SXM5-80GB"),
}


def topology(arch):
    major, minor, cores, shared, name = DEVICES[arch]
    config = f"""
        gpu_device_info {{
          threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
          shared_memory_per_block: 49152 shared_memory_per_core: {shared + 1024} shared_memory_per_block_optin: {shared}
          core_count: {cores} fpus_per_core: 64 clock_rate_ghz: 1.41 l2_cache_size: 41943040
          block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
          memory_bandwidth: 1555200000000 device_memory_size: 42331013120
          registers_per_core_limit: 65536 registers_per_block_limit: 65536
          cuda_compute_capability {{ major: {major} minor: {minor} }}
        }}
        platform_name: "CUDA" dnn_version_info {{ major: 9 }} device_description_str: "{name}"
    """
    return topologies.get_topology_desc("", "cuda", topology="1x1x1", target_config=config)


rng = np.random.default_rng(5)


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def cases():
    """Name, function, arguments, what is expected, how far off it may be. Each is compiled to one kernel, whose arguments are
    those of the function and the result."""
    x, y = floats(4, 96), floats(4, 96)
    yield "elementwise", lambda x, y: jnp.tanh(x) * y + 1, [x, y], np.tanh(x) * y + 1, 1e-5
    yield "sum", lambda x: jnp.sum(x * x, axis=1), [x], (x * x).sum(1), 1e-5
    yield "transpose", lambda x: jnp.transpose(x) + 0.5, [x], x.T + 0.5, 0
    e = np.exp(x - x.max(1, keepdims=True))
    yield "softmax", lambda x: jax.nn.softmax(x, axis=1), [x], e / e.sum(1, keepdims=True), 1e-5
    a, b = floats(64, 64), floats(64, 64)
    # Products are of TF32 by default.
    yield "matmul", lambda a, b: jnp.tanh(a) @ b, [a, b], np.tanh(a) @ b, 3e-2


THUNK = re.compile(r"(\S+) grid: \[(.*?)\] threads: \[(.*?)\] +shared_memory: (\d+)")


def order(text):
    """The numbers of the function's arguments in the order in which the one kernel of a program takes them."""
    entry = text[text.index("ENTRY"):]
    number = {name: int(number) for name, number in re.findall(r"(%\S+) = \S+ parameter\((\d+)\)", entry)}
    [operands] = re.findall(r"ROOT \S+ = \S+ fusion\((.*?)\)", entry)
    return [number[name] for name in operands.split(", ")]


def launched():
    """Kernel, grid, threads and shared memory of the one kernel of the program that was compiled last."""
    files = [os.path.join(dumps, name) for name in os.listdir(dumps) if name.endswith("thunk_sequence.txt")]
    with open(max(files, key=os.path.getmtime)) as file:
        thunks = THUNK.findall(file.read())
    assert len(thunks) == 1, thunks
    kernel, grid, threads, shared = thunks[0]
    return kernel, *(tuple(map(int, text.split(","))) for text in (grid, threads)), int(shared)


def ptx_of(kernel):
    """The PTX of a kernel of the program that was compiled last."""
    for name in os.listdir(dumps):
        if name.endswith(".ptx"):
            with open(os.path.join(dumps, name)) as file:
                text = file.read()
            if re.search(rf"\.entry {kernel}\b", text):
                return text
    raise AssertionError(f"there is no PTX of {kernel}")


def linked(ptx):
    """The cubin that libnvJitLink makes of PTX, by the calls of XLA's nvjitlink_compilation_provider: the PTX ends in NUL,
    and the logs are read in any case."""
    library = ctypes.CDLL(os.path.join(libraries, "libnvJitLink.so.13"))
    # Of a device with features of its own XLA names those, too: sm_90a.
    arch = re.search(r"\.target (\w+)", ptx)[1]
    options = [f"-arch={arch}", "-verbose", "-Xptxas=--warn-on-spills", "-split-compile=1"]
    handle, ptx_kind = ctypes.c_void_p(), 2
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    assert library.nvJitLinkCreate(ctypes.byref(handle), len(options), words) == 0
    text = ptx.encode() + b"\0"
    added = library.nvJitLinkAddData(handle, ptx_kind, text, ctypes.c_size_t(len(text)), b"")
    done = library.nvJitLinkComplete(handle) if added == 0 else added

    def read(what):
        size = ctypes.c_size_t()
        assert getattr(library, f"nvJitLinkGet{what}Size")(handle, ctypes.byref(size)) == 0
        bytes_ = ctypes.create_string_buffer(max(size.value, 1))
        assert getattr(library, f"nvJitLinkGet{what}")(handle, bytes_) == 0
        return bytes_.raw[: size.value]

    errors, infos = read("ErrorLog"), read("InfoLog")
    assert done == 0 and not errors.strip(b"\0"), errors
    assert f"for '{arch}'".encode() in infos, infos
    cubin = read("LinkedCubin")
    assert library.nvJitLinkDestroy(ctypes.byref(handle)) == 0
    return cubin


def is_refused(lowered):
    """Whether JAX itself refuses to compile by nvJitLink."""
    try:
        lowered.compile(compiler_options={"xla_gpu_libnvjitlink_mode": "LIB_NV_JIT_LINK_MODE_ENABLED"})
    except jax.errors.JaxRuntimeError as error:
        return "LibNvJitLink is not supported" in str(error)
    return False


def main():
    for arch in DEVICES:
        devices = topology(arch).devices
        place = NamedSharding(Mesh(np.array(devices[:1]), ("x",)), PartitionSpec())
        for name, function, arguments, want, off in cases():
            for directory in (made, dumps):
                for file in os.listdir(directory) if os.path.isdir(directory) else ():
                    os.remove(os.path.join(directory, file))
            shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=place) for array in arguments]
            lowered = jax.jit(function).lower(*shapes)
            compiled = lowered.compile()
            kernel, grid, threads, shared = launched()
            [file] = os.listdir(made)
            with open(os.path.join(made, file), "rb") as cubin:
                by_ptxas = cubin.read()
            given = [arguments[number] for number in order(compiled.as_text())]
            # Products are kernels of Triton, whose threads may store one value to one place: see with_triton.py.
            races = "warn" if name == "matmul" else "error"
            for way, cubin in (("ptxas", by_ptxas), ("libnvJitLink", linked(ptx_of(kernel)))):
                out = np.full(want.shape, np.nan, np.float32)
                simulate.run(raddle, cubin, kernel, grid, threads, [*given, out], shared=shared, races=races)
                np.testing.assert_allclose(out, want, rtol=off, atol=off)
                print(f"{name} {arch} by {way}: ours, right, JAX {jax.__version__}")
            assert is_refused(lowered), "JAX calls nvJitLink now: let it"


main()
