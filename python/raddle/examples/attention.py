"""Flash attention in Triton, compiled through Raddle and run in the simulator, compared with NumPy: no GPU is needed.

    $ pip install target/wheel/raddle-*.whl triton numpy
    $ python -m raddle.examples.attention
"""

import sys
import time

import numpy as np
import triton
import triton.language as tl

from raddle import testing


@triton.jit
def attention(q, k, v, out, length, scale, B: tl.constexpr, D: tl.constexpr):
    """Attention of one head: a block of queries; keys and values block by block, the sums rescaled on the way."""
    rows, columns = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + columns[None, :])
    most = tl.full((B,), float("-inf"), tl.float32)
    total = tl.zeros((B,), tl.float32)
    mean = tl.zeros((B, D), tl.float32)
    for start in range(0, length, B):
        at = start + tl.arange(0, B)
        keys = tl.load(k + at[None, :] * D + columns[:, None])
        scores = tl.dot(queries, keys) * scale
        newest = tl.maximum(most, tl.max(scores, 1))
        weights = tl.exp2(scores - newest[:, None])
        old = tl.exp2(most - newest)
        total = total * old + tl.sum(weights, 1)
        values = tl.load(v + at[:, None] * D + columns[None, :])
        mean = tl.dot(weights.to(tl.float16), values, mean * old[:, None])
        most = newest
    tl.store(out + rows[:, None] * D + columns[None, :], mean / total[:, None])


def by_numpy(q, k, v):
    """The same in single precision, without blocks."""
    q, k, v = (array.astype(np.float32) for array in (q, k, v))
    scores = q @ k.T / np.sqrt(q.shape[1])
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True) @ v


def run(arch, length=128, width=64, block=64):
    """Runs it for an architecture; returns what was launched, and how far off the result is."""
    rng = np.random.default_rng(7)
    q, k, v = (rng.standard_normal((length, width)).astype(np.float16) for _ in range(3))
    out = np.zeros((length, width), np.float32)
    # Powers of two instead of e.
    scale = float(np.log2(np.e) / np.sqrt(width))
    launched = testing.launch(attention, length // block, q, k, v, out, length, scale, B=block, D=width, arch=arch)
    return launched, np.abs(out - by_numpy(q, k, v)).max()


def main(architectures):
    for arch in architectures or ("sm_80", "sm_90"):
        begun = time.monotonic()
        launched, off = run(arch)
        took = time.monotonic() - begun
        print(f"{launched.kernel} for {arch}: {len(launched.cubin)} bytes by Raddle, off by {off:.1e} at most, {took:.1f} s")
        if off > 2e-3:
            sys.exit("the result is wrong")


if __name__ == "__main__":
    main(sys.argv[1:])
