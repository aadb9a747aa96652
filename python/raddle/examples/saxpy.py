"""A kernel of Numba, compiled through Raddle's libnvJitLink and run in the simulator, compared with NumPy.

    $ pip install target/wheel/raddle-*.whl numba-cuda nvidia-nvvm nvidia-cuda-nvrtc nvidia-cuda-runtime
    $ python -m raddle.examples.saxpy
"""

import sys

import numpy as np

from raddle import testing, tools

# Before numba.cuda looks for NVIDIA's.
tools.load("libnvJitLink")

from numba import cuda  # noqa: E402


@cuda.jit
def saxpy(a, x, y):
    at = cuda.grid(1)
    if at < y.shape[0]:
        y[at] += a * x[at]


def main(architectures):
    x = np.arange(100, dtype=np.float32)
    for arch in architectures or ("sm_80", "sm_90"):
        y = np.ones_like(x)
        launched = testing.launch(saxpy, 4, np.float32(2), x, y, arch=arch, block=32)
        np.testing.assert_array_equal(y, 1 + 2 * x)
        print(f"saxpy for {arch}: {len(launched.cubin)} bytes by Raddle, right")


if __name__ == "__main__":
    main(sys.argv[1:])
