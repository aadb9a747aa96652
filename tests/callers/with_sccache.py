"""Compiles by nvcc and by clang through sccache, with Raddle in the place of ptxas, and looks at what comes from the cache:
what was made before, and nothing else.

    python tests/callers/with_sccache.py RADDLE TOOLKIT

RADDLE is the program, TOOLKIT a CUDA toolkit; sccache is beside this Python, clang++-19 in PATH. Each cubin must hold the
note of Raddle, and its results must be those of numpy.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import simulate

raddle, toolkit = (os.path.abspath(word) for word in sys.argv[1:3])
here = os.path.dirname(os.path.abspath(__file__))
sccache = os.path.join(os.path.dirname(sys.executable), "sccache")
folder = tempfile.mkdtemp()
environment = {name: value for name, value in os.environ.items() if not name.startswith(("SCCACHE_", "RADDLE_"))}
environment |= {
    "SCCACHE_DIR": os.path.join(folder, "kept"),
    "SCCACHE_SERVER_UDS": os.path.join(folder, "socket"),
    # Nothing of the user's settings; native code only.
    "SCCACHE_CONF": os.path.join(folder, "none"),
    "RADDLE_PTXAS": "off",
    "RADDLE_FATBINARY": "off",
}


def run(*words, **variables):
    ran = subprocess.run(words, env=environment | variables, cwd=folder, text=True, capture_output=True)
    assert ran.returncode == 0, f"{words}: {ran.stderr}"
    return ran.stdout


def counts():
    """The hits and the misses of each kind so far."""
    stats = json.loads(run(sccache, "--show-stats", "--stats-format=json"))["stats"]
    assert stats["cache_errors"]["counts"] == {}, stats
    return [stats[what]["counts"] for what in ("cache_hits", "cache_misses")]


@contextlib.contextmanager
def expected(kind, hits, misses):
    """Checks how many of a kind came from the cache meanwhile."""
    before = [each.get(kind, 0) for each in counts()]
    yield
    after = [each.get(kind, 0) for each in counts()]
    assert [b - a for a, b in zip(before, after)] == [hits, misses], (kind, hits, misses, before, after)


def cubins(path):
    """The cubins in a file, in order."""
    with tempfile.TemporaryDirectory() as into:
        subprocess.run([raddle, "as", "cuobjdump", "-xelf", "all", os.path.join(folder, path)], cwd=into, check=True,
                       stdout=subprocess.DEVNULL)
        found = []
        for name in sorted(os.listdir(into)):
            with open(os.path.join(into, name), "rb") as file:
                found.append(file.read())
    return found


def right(cubin, kernel, function):
    x, y = np.arange(100, dtype=np.int32), np.zeros(100, np.int32)
    simulate.run(raddle, cubin, kernel, 2, 64, [x, y, ("s32", 100)])
    assert (y == function(x)).all(), y


def other_build(path):
    """A copy of Raddle with another build identifier: that of its linker, which all of them have."""
    with open(raddle, "rb") as file:
        bytes_of = bytearray(file.read())
    note = bytes_of.index(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0")
    bytes_of[note + 16] ^= 1
    with open(path, "wb") as file:
        file.write(bytes_of)
    os.chmod(path, 0o755)


def with_nvcc():
    cuda = os.path.join(folder, "cuda")
    run(raddle, "install", "--into", cuda, "--toolkit", toolkit)
    targets = [word for sm in (80, 90) for word in ("-gencode", f"arch=compute_{sm},code=sm_{sm}")]

    def compiled(*options):
        """Compiles once, and again from nothing: what comes from the cache is what would be made."""
        made = []
        for compiler in ([sccache, f"{cuda}/bin/nvcc"], [f"{cuda}/bin/nvcc"]):
            run(*compiler, "-c", "k.cu", "-o", "k.o", *targets, *options)
            made.append(cubins("k.o"))
            os.remove(os.path.join(folder, "k.o"))
        assert made[0] == made[1] and len(made[0]) == 2, options
        return made[0]

    version = run(sccache, "--version").split()[1]
    shutil.copy(os.path.join(here, "whole.cu"), os.path.join(folder, "k.cu"))
    with expected("CUBIN", 0, 2):
        first = compiled()
    with expected("CUBIN", 2, 0):
        assert compiled() == first
    # Options that change the code, and one that is ptxas' alone.
    for options in (["-Xptxas", "-O1"], ["-lineinfo"], ["--maxrregcount=24"]):
        with expected("CUBIN", 0, 2):
            other = compiled(*options)
        with expected("CUBIN", 2, 0):
            assert compiled(*options) == other
    # Another program.
    with open(os.path.join(folder, "k.cu")) as file:
        text = file.read()
    with open(os.path.join(folder, "k.cu"), "w") as file:
        file.write(text.replace("+ 1", "- 5"))
    with expected("CUBIN", 0, 2):
        changed = compiled()
    for cubin, sm in zip(changed, (80, 90)):
        right(cubin, "whole", lambda x: 6 * x - 5)
        print(f"changed sm_{sm}: ours, right, sccache {version}")
    with open(os.path.join(folder, "k.cu"), "w") as file:
        file.write(text)
    with expected("CUBIN", 2, 0):
        assert compiled() == first
    for cubin, sm in zip(first, (80, 90)):
        right(cubin, "whole", lambda x: 6 * x + 1)
        print(f"kept sm_{sm}: ours, right, sccache {version}")
    # Another build of Raddle, while the server of sccache runs on; and this one again.
    link = os.path.join(cuda, "bin/ptxas")
    os.remove(link)
    other_build(link)
    assert run(link, "--version") != run(raddle, "as", "ptxas", "--version")
    with expected("CUBIN", 0, 2):
        compiled()
    with expected("CUBIN", 2, 0):
        compiled()
    os.remove(link)
    os.symlink(raddle, link)
    with expected("CUBIN", 2, 0):
        assert compiled() == first


def with_clang():
    """sccache keeps the object of clang as a whole, and knows nothing of ptxas: its build must be told."""
    tools = os.path.join(folder, "toolkit/bin")
    run(raddle, "install", "--into", tools)
    for name in ("include", "nvvm/libdevice"):
        os.makedirs(os.path.join(folder, "toolkit", name))
    with open(os.path.join(folder, "toolkit/include/cuda.h"), "w") as file:
        file.write("#define CUDA_VERSION 12030\n")
    shutil.copy(os.path.join(here, "clang.cu"), os.path.join(folder, "c.cu"))

    def compiled(*options):
        build = run(os.path.join(tools, "ptxas"), "--version")
        run(sccache, "clang++-19", "-x", "cuda", "c.cu", "--offload-arch=sm_90", "-nocudainc", "-nocudalib", "-O2",
            "-Wno-unknown-cuda-version", "--cuda-path=toolkit", "-c", "-o", "c.o", *options,
            SCCACHE_C_CUSTOM_CACHE_BUSTER=build)
        return cubins("c.o")

    with expected("CUDA", 0, 1):
        first = compiled()
    with expected("CUDA", 1, 0):
        assert compiled() == first
    with expected("CUDA", 0, 1):
        compiled("-Xcuda-ptxas", "-O1")
    right(first[0], "_Z1kPKiPii", lambda x: x - 7)
    print(f"kept sm_90, clang: ours, right, sccache {run(sccache, '--version').split()[1]}")
    os.remove(os.path.join(tools, "ptxas"))
    other_build(os.path.join(tools, "ptxas"))
    with expected("CUDA", 0, 1):
        compiled()


try:
    with_nvcc()
    with_clang()
finally:
    subprocess.run([sccache, "--stop-server"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.rmtree(folder)
