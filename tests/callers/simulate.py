"""Runs the cubins that callers made in the simulator, and says whose they are. For the other scripts of this folder."""

import os
import re
import subprocess
import tempfile

import numpy as np

OUR_NOTE = re.compile(rb"\0raddle\0Raddle [0-9.]+\0Build raddle_[0-9.]+/[0-9a-f]{64}\0")


def ours(cubin):
    """Whether all machine code of a cubin is Raddle's, by the notes that compilers leave in it: ours has the build."""
    return OUR_NOTE.search(cubin) is not None and b"\0ptxas\0" not in cubin


def keep(caller, arch, ptx, *options):
    """Keeps PTX that a caller gives a library, as a call of ptxas: `cargo campaign callers` times it."""
    if folder := os.environ.get("RADDLE_CALLS"):
        call = os.path.join(folder, f"{caller}-{len(os.listdir(folder))}")
        os.mkdir(call)
        with open(os.path.join(call, "k.ptx"), "wb") as file:
            file.write(ptx.rstrip(b"\0"))
        with open(os.path.join(call, "words"), "w") as file:
            file.write("\n".join(["-arch", arch, *options, "k.ptx", "-o", "out", ""]))


def run(raddle, cubin, kernel, grid, block, arguments, *, shared=0, races="error"):
    """Runs a kernel. Arguments are arrays, which are written back, pairs of a type and a number (`("s32", 5)`), and None
    for a null pointer; the result is nothing."""
    assert ours(cubin), f"{kernel} is not ours alone"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cubin")
        with open(path, "wb") as file:
            file.write(cubin)
        words, arrays = [], []
        for number, argument in enumerate(arguments):
            if argument is None:
                words.append("null")
            elif isinstance(argument, np.ndarray):
                file = os.path.join(folder, str(number))
                argument.tofile(file)
                arrays.append((argument, file))
                words.append(f"inout:{file}")
            else:
                words.append("{}:{}".format(*argument))
        dimensions = [",".join(map(str, (d,) if isinstance(d, int) else d)) for d in (grid, block)]
        command = [raddle, "run", path, "--kernel", kernel, "--grid", dimensions[0], "--block", dimensions[1]]
        command += ["--shared", str(shared), "--races", races]
        command += [word for argument in words for word in ("--arg", argument)]
        ran = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        assert ran.returncode == 0, ran.stderr
        for array, file in arrays:
            array[...] = np.fromfile(file, array.dtype).reshape(array.shape)
