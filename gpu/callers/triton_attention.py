"""Triton: flash attention, forward and backward."""

import math

import torch
import triton
import triton.language as tl

import common
from common import Outcome, timed
from triton_common import DRY, empty, main, randn


@triton.jit
def forward_kernel(q, k, v, out, logsum, length, scale, causal: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
                   D: tl.constexpr):
    """One block of queries of one head; scores are kept in powers of two."""
    block, head = tl.program_id(0), tl.program_id(1)
    base = head.to(tl.int64) * length * D
    rows, columns = block * M + tl.arange(0, M), tl.arange(0, D)
    queries = tl.load(q + base + rows[:, None] * D + columns[None, :])
    most = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    mean = tl.zeros((M, D), tl.float32)
    end = (block + 1) * M if causal else length
    for start in range(0, end, N):
        at = start + tl.arange(0, N)
        keys = tl.load(k + base + at[None, :] * D + columns[:, None])
        scores = tl.dot(queries, keys) * scale
        if causal:
            scores = tl.where(rows[:, None] >= at[None, :], scores, float("-inf"))
        newest = tl.maximum(most, tl.max(scores, 1))
        weights = tl.exp2(scores - newest[:, None])
        old = tl.exp2(most - newest)
        total = total * old + tl.sum(weights, 1)
        values = tl.load(v + base + at[:, None] * D + columns[None, :])
        mean = tl.dot(weights.to(values.dtype), values, mean * old[:, None])
        most = newest
    tl.store(logsum + head * length + rows, most + tl.log2(total))
    tl.store(out + base + rows[:, None] * D + columns[None, :], (mean / total[:, None]).to(out.dtype.element_ty))


@triton.jit
def keys_kernel(q, k, v, dout, logsum, delta, dk, dv, length, scale, scale2, causal: tl.constexpr, M: tl.constexpr,
                N: tl.constexpr, D: tl.constexpr):
    """Gradients of one block of keys and values."""
    block, head = tl.program_id(0), tl.program_id(1)
    base = head.to(tl.int64) * length * D
    at, columns = block * N + tl.arange(0, N), tl.arange(0, D)
    keys = tl.load(k + base + at[:, None] * D + columns[None, :])
    values = tl.load(v + base + at[:, None] * D + columns[None, :])
    grad_k, grad_v = tl.zeros((N, D), tl.float32), tl.zeros((N, D), tl.float32)
    begin = (block * N) // M * M if causal else 0
    for start in range(begin, length, M):
        rows = start + tl.arange(0, M)
        queries = tl.load(q + base + rows[:, None] * D + columns[None, :])
        grads = tl.load(dout + base + rows[:, None] * D + columns[None, :])
        weights = tl.exp2(tl.dot(keys, tl.trans(queries)) * scale2 - tl.load(logsum + head * length + rows)[None, :])
        if causal:
            weights = tl.where(rows[None, :] >= at[:, None], weights, 0.0)
        grad_v += tl.dot(weights.to(grads.dtype), grads)
        change = weights * (tl.dot(values, tl.trans(grads)) - tl.load(delta + head * length + rows)[None, :])
        grad_k += tl.dot(change.to(queries.dtype), queries)
    tl.store(dk + base + at[:, None] * D + columns[None, :], grad_k * scale)
    tl.store(dv + base + at[:, None] * D + columns[None, :], grad_v)


@triton.jit
def queries_kernel(q, k, v, dout, logsum, delta, dq, length, scale, scale2, causal: tl.constexpr, M: tl.constexpr,
                   N: tl.constexpr, D: tl.constexpr):
    """Gradients of one block of queries."""
    block, head = tl.program_id(0), tl.program_id(1)
    base = head.to(tl.int64) * length * D
    rows, columns = block * M + tl.arange(0, M), tl.arange(0, D)
    queries = tl.load(q + base + rows[:, None] * D + columns[None, :])
    grads = tl.load(dout + base + rows[:, None] * D + columns[None, :])
    logs, deltas = tl.load(logsum + head * length + rows), tl.load(delta + head * length + rows)
    total = tl.zeros((M, D), tl.float32)
    end = (block + 1) * M if causal else length
    for start in range(0, end, N):
        at = start + tl.arange(0, N)
        keys = tl.load(k + base + at[:, None] * D + columns[None, :])
        values = tl.load(v + base + at[:, None] * D + columns[None, :])
        weights = tl.exp2(tl.dot(queries, tl.trans(keys)) * scale2 - logs[:, None])
        if causal:
            weights = tl.where(rows[:, None] >= at[None, :], weights, 0.0)
        change = weights * (tl.dot(grads, tl.trans(values)) - deltas[:, None])
        total += tl.dot(change.to(keys.dtype), keys)
    tl.store(dq + base + rows[:, None] * D + columns[None, :], total * scale)


def expected(q, k, v, causal):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(~torch.ones_like(scores, dtype=torch.bool).tril(), float("-inf"))
    return torch.softmax(scores, -1) @ v


def start_forward(q, k, v, causal, block, stages, warps):
    heads, length, width = q.shape
    out, logsum = empty(heads, length, width, dtype=q.dtype), empty(heads, length)
    scale = math.log2(math.e) / math.sqrt(width)

    def go():
        forward_kernel[(length // block[0], heads)](q, k, v, out, logsum, length, scale, causal=causal, M=block[0],
                                                    N=block[1], D=width, num_warps=warps, num_stages=stages)

    return go, out, logsum


def forward(causal, dtype, width, block=(128, 64), stages=3, warps=8):
    @timed
    def run(big):
        heads, length = (64, 4096) if big else (4, 512)
        q, k, v = (randn(4, 512, width, seed=s, dtype=dtype).repeat(heads // 4, length // 512, 1) for s in (1, 2, 3))
        go, out, _ = start_forward(q, k, v, causal, block, stages, warps)
        go()
        flops = 4 * heads * length * length * width // (2 if causal else 1)
        want = None if big or DRY else expected(q.double(), k.double(), v.double(), causal)
        return Outcome(out[:4], want, 6e-3 if dtype == torch.float16 else 3e-2, measure=go, work=flops)

    return run


def backward(causal, dtype, width):
    @timed
    def run(big):
        heads, length = (64, 2048) if big else (4, 512)
        q, k, v, dout = (randn(4, 512, width, seed=s, dtype=dtype).repeat(heads // 4, length // 512, 1) for s in (1, 2, 3, 4))
        go, out, logsum = start_forward(q, k, v, causal, (128, 64), 2, 8)
        go()
        delta = (out.float() * dout.float()).sum(-1)
        dq, dk, dv = (empty(heads, length, width) for _ in range(3))
        scale = 1 / math.sqrt(width)
        sizes = dict(causal=causal, M=64, N=64, D=width, num_warps=4, num_stages=2)

        def back():
            words = (q, k, v, dout, logsum, delta)
            keys_kernel[(length // 64, heads)](*words, dk, dv, length, scale, scale * math.log2(math.e), **sizes)
            queries_kernel[(length // 64, heads)](*words, dq, length, scale, scale * math.log2(math.e), **sizes)

        back()
        want = None
        if not big and not DRY:
            leaf = [t.double().requires_grad_() for t in (q, k, v)]
            want = list(torch.autograd.grad(expected(*leaf, causal), leaf, dout.double()))
        flops = 14 * heads * length * length * width // (2 if causal else 1)
        return Outcome([dq[:4], dk[:4], dv[:4]], want, 1e-2 if dtype == torch.float16 else 4e-2, measure=back, work=flops)

    return run


common.add_case("forward_f16_64", forward(False, torch.float16, 64))
common.add_case("forward_f16_128", forward(False, torch.float16, 128))
common.add_case("forward_causal_f16_64", forward(True, torch.float16, 64))
common.add_case("forward_bf16_128", forward(False, torch.bfloat16, 128))
common.add_case("forward_causal_bf16_128_64x64", forward(True, torch.bfloat16, 128, (64, 64), 2, 4))
common.add_case("backward_f16_64", backward(False, torch.float16, 64))
common.add_case("backward_causal_bf16_64", backward(True, torch.bfloat16, 64))
common.add_case("backward_causal_f16_128", backward(True, torch.float16, 128))

if __name__ == "__main__":
    main()
