"""Kernels of Numba in tests without a GPU. Run by `cargo campaign callers`, in an environment with the wheel and with
what `scripts/callers.sh more` installs."""

import math
import unittest

import numpy as np
import raddle
from raddle import testing, tools

tools.load("libnvJitLink")

from numba import cuda  # noqa: E402


@cuda.jit(device=True)
def logistic(x):
    return 1 / (1 + math.exp(-x))


@cuda.jit
def apply(x, out):
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = logistic(x[row, column])


@cuda.jit
def reverse(x, out, n):
    at = cuda.threadIdx.x
    part = cuda.shared.array(128, np.float32)
    part[at] = x[at]
    out[at] = part[n - 1 - at]


@cuda.jit
def ordered(x, out, n):
    at = cuda.threadIdx.x
    part = cuda.shared.array(128, np.float32)
    part[at] = x[at]
    cuda.syncthreads()
    out[at] = part[n - 1 - at]


class Numba(unittest.TestCase):
    def test_a_kernel_with_a_function_runs_for_every_architecture(self):
        x = np.linspace(-3, 3, 40).reshape(5, 8)
        for arch in testing.ARCHITECTURES:
            out = np.zeros_like(x)
            done = testing.launch(apply, (1, 1), x, out, arch=arch, block=(8, 8))
            np.testing.assert_allclose(out, 1 / (1 + np.exp(-x)), rtol=1e-14)
            self.assertEqual(done.races, ())

    def test_a_missing_barrier_is_found(self):
        x, out = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
        with self.assertRaises(raddle.RunError):
            testing.launch(reverse, 1, x, out, 128, arch="sm_80", block=128)
        testing.launch(ordered, 1, x, out, 128, arch="sm_80", block=128)
        np.testing.assert_array_equal(out, x[::-1])

    def test_wrong_calls_say_so(self):
        x = np.zeros((4, 4))
        for error, args, more in [
            (TypeError, (x, x), {}),
            (ValueError, (x.T[1:], x), {"block": 8}),
        ]:
            with self.assertRaises(error):
                testing.launch(apply, 1, *args, arch="sm_80", **more)


if __name__ == "__main__":
    unittest.main()
