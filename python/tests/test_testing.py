"""Kernels of Triton in tests without a GPU, and the programs of the package under the names of the tools. Run by
crates/cli/tests/wheel.rs, in an environment with the wheel and with Triton."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import raddle
import triton
import triton.language as tl
from raddle import testing, tools
from raddle.examples import attention


@triton.jit
def axpy(a, x, y, n, B: tl.constexpr, TWICE: tl.constexpr = False):
    at = tl.program_id(0) * B + tl.arange(0, B)
    product = a * tl.load(x + at, at < n)
    if TWICE:
        product *= 2
    tl.store(y + at, product + tl.load(y + at, at < n), at < n)


@triton.jit
def unbounded(x, y, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(y + at, tl.load(x + at))


@triton.jit
def total(x, out, B: tl.constexpr):
    tl.store(out, tl.sum(tl.load(x + tl.arange(0, B)), 0))


class Triton(unittest.TestCase):
    def test_a_kernel_runs_on_arrays_for_every_architecture(self):
        for arch in testing.ARCHITECTURES:
            x, y = np.arange(300, dtype=np.float32), np.ones(300, np.float32)
            done = testing.launch(axpy, 3, 2.0, x, y, n=300, B=128, arch=arch, num_warps=2)
            np.testing.assert_array_equal(y, 1 + 2 * x)
            self.assertEqual((done.kernel, done.cubin[:4], done.races), ("axpy", b"\x7fELF", ()))

    def test_elements_of_other_types(self):
        for dtype, factor in [("float16", 2.0), ("int32", 3), ("int64", 3), ("float64", np.float64(0.5)), ("uint8", np.uint8(2))]:
            x, y = np.arange(40).astype(dtype), np.ones(40, dtype)
            want = y + (2 * x * np.dtype(dtype).type(factor)).astype(dtype)
            testing.launch(axpy, 1, factor, x, y, 40, 64, True, arch="sm_90")
            np.testing.assert_array_equal(y, want, dtype)

    def test_stray_accesses_and_races_are_found(self):
        x, y = np.zeros(100, np.float32), np.zeros(128, np.float32)
        with self.assertRaises(raddle.RunError) as caught:
            testing.launch(unbounded, 1, x, y, B=128, arch="sm_80")
        self.assertIn("out of bounds", caught.exception.message)
        with self.assertRaises(raddle.RunError) as caught:
            testing.launch(unbounded, 2, y, y, B=128, arch="sm_80", races="error")
        self.assertIn("race", caught.exception.message)
        done = testing.launch(unbounded, 2, y, y, B=128, arch="sm_80")
        self.assertIn("race", done.races[0])

    def test_wrong_calls_say_so(self):
        x = np.zeros(64, np.float32)
        for error, args, more in [
            (ValueError, (x, x), {"arch": "sm_75", "B": 64}),
            (TypeError, (x,), {"arch": "sm_80", "B": 64}),
            (TypeError, (x, x, 64), {"arch": "sm_80", "B": 64}),
            (TypeError, (x, x, 64, 1), {"arch": "sm_80"}),
            (TypeError, (x, "x"), {"arch": "sm_80", "B": 64}),
            (TypeError, (x, x), {"arch": "sm_80", "B": 64, "block": 32}),
        ]:
            with self.assertRaises(error):
                testing.launch(unbounded, 1, *args, **more)
        with self.assertRaises(TypeError):
            testing.launch(print, 1, arch="sm_80")

    def test_code_of_another_compiler_is_refused(self):
        x, out = np.ones(128, np.float32), np.zeros(1, np.float32)
        done = testing.launch(total, 1, x, out, B=128, arch="sm_80")
        self.assertEqual(out[0], 128)
        for cubin in [done.cubin.replace(b"\0raddle\0Raddle ", b"\0raddle\0Rubble "), done.cubin + b"\0ptxas\0"]:
            with self.assertRaises(AssertionError):
                testing.note(cubin)

    def test_the_environment_stays_as_it_was(self):
        x, out = np.ones(128, np.float32), np.zeros(1, np.float32)
        with mock.patch.dict(os.environ, {"TRITON_PTXAS_PATH": "/none", "RADDLE_PTXAS": "/other"}):
            before = dict(os.environ)
            testing.launch(total, 1, x, out, B=128, arch="sm_80")
            self.assertEqual(dict(os.environ), before)

    def test_flash_attention_is_right(self):
        for arch in ("sm_80", "sm_90"):
            _, off = attention.run(arch)
            self.assertLess(off, 2e-3)


class Tools(unittest.TestCase):
    def test_every_tool_has_a_path_and_is_this_program(self):
        program = tools.path("raddle")
        names = ["ptxas", "nvlink", "fatbinary", "cuobjdump", "nvdisasm"]
        for name in names:
            path = tools.path(name)
            self.assertEqual((path.name, os.path.realpath(path)), (name, os.path.realpath(program)))
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertTrue(said.startswith(f"{name}: Raddle {raddle.__version__}"), said)
        self.assertTrue(tools.path("clang-nvlink-wrapper").exists())
        self.assertTrue(str(tools.folder()).startswith(sys.prefix))
        with self.assertRaises(tools.Missing):
            tools.path("nvcc")

    def test_links_are_made_again_and_by_many_at_once(self):
        command = [sys.executable, "-I", "-m", "raddle", "path", "ptxas"]
        with tempfile.TemporaryDirectory() as cache:
            # An environment that cannot be written: the links are in the folder of caches.
            code = "import sys, sysconfig; sysconfig.get_path = lambda name: '/proc/none'; " \
                "from raddle import tools; print(tools.path('ptxas'))"
            many = [subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"XDG_CACHE_HOME": cache},
                                     stdout=subprocess.PIPE, text=True) for _ in range(4)]
            said = {one.communicate()[0].strip() for one in many}
            [path] = said
            self.assertTrue(path.startswith(cache) and os.path.realpath(path) == os.path.realpath(tools.path("raddle")))
            self.assertEqual(len(os.listdir(pathlib.Path(cache, "raddle"))), 1)
        tools.path("ptxas").unlink()
        os.symlink("/none", tools.folder() / "nvlink.other")
        path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        self.assertTrue(os.access(path, os.X_OK))

    def test_commands(self):
        run = lambda *words: subprocess.run([sys.executable, "-I", "-m", "raddle", *words], capture_output=True, text=True)
        said = run("env").stdout
        self.assertIn(f"export TRITON_PTXAS_PATH={tools.path('ptxas')}\n", said)
        shell = subprocess.run(["sh", "-c", f"{said} ptxas --version"], capture_output=True, text=True)
        self.assertTrue(shell.stdout.startswith("ptxas: Raddle"), shell)
        self.assertEqual((run("frob").returncode, run().returncode, run("path", "frob").returncode), (2, 2, 1))
        script = pathlib.Path(sys.executable).parent / "raddle"
        said = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertTrue(said.startswith(f"raddle {raddle.__version__}"), said)


if __name__ == "__main__":
    unittest.main()
