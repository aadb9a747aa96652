"""What programs that write kernels in Triton share: inputs, timing, and the mode that only compiles.

In that mode kernels are compiled for sm_90 where they would be started, with tensors of the CPU; nothing is computed.
"""

import os
import sys

import torch
import triton
from triton.runtime import driver, jit

import common

DRY = "--dry" in sys.argv
DEVICE = "cpu" if DRY else "cuda"


def dry():
    """No GPU: a start of a kernel only compiles it."""
    import types

    from triton.backends.compiler import GPUTarget

    target = GPUTarget("cuda", 90, 32)
    utils = types.SimpleNamespace(get_device_properties=lambda _: {"max_shared_mem": 232448, "multiprocessor_count": 132})
    driver.set_active(types.SimpleNamespace(
        get_current_target=lambda: target, get_current_device=lambda: 0, get_current_stream=lambda _: 0, utils=utils,
        get_active_torch_device=lambda: torch.device("cpu")))

    original = jit.JITFunction.run

    def run(self, *words, grid, warmup, **named):
        return original(self, *words, grid=grid, warmup=True, **named)

    jit.JITFunction.run = run
    triton.compiler.CompiledKernel._init_handles = lambda self: None


def prepare():
    torch.zeros(1, device="cuda")
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=DEVICE))
    torch.backends.cuda.matmul.allow_tf32 = False


def synchronize():
    if not DRY:
        torch.cuda.synchronize()


def median(function):
    return triton.testing.do_bench(function, warmup=10, rep=60, return_mode="median")


def main():
    if not DRY:
        # A failure names the cubin of its kernel.
        os.environ.setdefault("TRITON_STORE_BINARY_ONLY", "0")
    common.main(synchronize=synchronize, median=median, prepare=prepare, dry=dry)


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def randn(*shape, seed=1, dtype=torch.float32):
    """The same numbers in every process."""
    return torch.randn(shape, generator=seeded(seed), dtype=torch.float32).to(dtype).to(DEVICE)


def big_randn(*shape, seed=1, dtype=torch.float32):
    """Made by the GPU: quicker for large arrays, and as repeatable."""
    generator = torch.Generator(DEVICE).manual_seed(seed)
    return torch.randn(shape, generator=generator, device=DEVICE, dtype=torch.float32).to(dtype)


def randint(low, high, *shape, seed=1, dtype=torch.int32):
    return torch.randint(low, high, shape, generator=seeded(seed), dtype=torch.int64).to(dtype).to(DEVICE)


def empty(*shape, dtype=torch.float32):
    """Filled with what no kernel computes, so that an element that was not written shows."""
    if dtype.is_floating_point:
        return torch.full(shape, float("nan"), device=DEVICE, dtype=torch.float32).to(dtype)
    return torch.full(shape, 85, device=DEVICE, dtype=dtype)
