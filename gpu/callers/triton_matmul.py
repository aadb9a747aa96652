"""Triton: products of matrices, in all types, by tensor descriptors (TMA), grouped, split along K, by warps of one role."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

import common
from common import Outcome, case, timed
from triton_common import DEVICE, DRY, big_randn, empty, main, randint, randn

F8 = (torch.float8_e4m3fn, torch.float8_e5m2)


@triton.jit
def matmul_kernel(a, b, c, M, N, K, am, ak, bk, bn, cm, cn, kind: tl.constexpr, total_type: tl.constexpr,
                  BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr):
    """The product of Triton's tutorial, with blocks in groups for the L2 cache."""
    pid = tl.program_id(0)
    across, down = tl.cdiv(N, BN), tl.cdiv(M, BM)
    group = pid // (G * across)
    first = group * G
    size = min(down - first, G)
    pid_m = first + (pid % (G * across)) % size
    pid_n = (pid % (G * across)) // size
    rows = (pid_m * BM + tl.arange(0, BM)) % M
    columns = (pid_n * BN + tl.arange(0, BN)) % N
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * am + inner[None, :] * ak
    right = b + inner[:, None] * bk + columns[None, :] * bn
    total = tl.zeros((BM, BN), total_type)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(left, mask=inner[None, :] < K - k * BK, other=0.0)
        y = tl.load(right, mask=inner[:, None] < K - k * BK, other=0.0)
        total = tl.dot(x, y, total, input_precision=kind, out_dtype=total_type)
        left += BK * ak
        right += BK * bk
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    tl.store(c + rows[:, None] * cm + columns[None, :] * cn, total.to(c.dtype.element_ty),
             (rows[:, None] < M) & (columns[None, :] < N))


def inputs(m, n, k, dtype, big, turned=False):
    if dtype == torch.int8:
        a, b = randint(-9, 9, m, k, dtype=dtype), randint(-9, 9, n, k, seed=2, dtype=dtype)
    elif big:
        a, b = big_randn(m, k, seed=1).to(dtype), big_randn(n, k, seed=2).to(dtype)
    else:
        a, b = randn(m, k, seed=1, dtype=dtype), randn(n, k, seed=2, dtype=dtype)
    # Types of 8 bits want both operands with K inside.
    return a, b.t() if turned or dtype in (torch.int8, *F8) else b.t().contiguous()


def product(a, b, rows=None):
    a = a[:rows] if rows else a
    return a.to(torch.float64) @ b.to(torch.float64)


def matmul(dtype, out_dtype, off, kind="tf32", blocks=(128, 128, 64), warps=8, stages=3, shape=(300, 500, 200), size=4096,
           turned=False):
    @timed
    def run(big):
        m, n, k = (size, size, size) if big else shape
        a, b = inputs(m, n, k, dtype, big, turned)
        c = empty(m, n, dtype=out_dtype)
        total = tl.int32 if dtype == torch.int8 else tl.float64 if dtype == torch.float64 else tl.float32

        def go():
            grid = (triton.cdiv(m, blocks[0]) * triton.cdiv(n, blocks[1]),)
            matmul_kernel[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride(), kind=kind, total_type=total,
                                BM=blocks[0], BN=blocks[1], BK=blocks[2], G=8, num_warps=warps, num_stages=stages)

        go()
        return Outcome(c[:300], None if DRY else product(a, b, 300), off, measure=go, work=2 * m * n * k)

    return run


F16, BF16, F32 = torch.float16, torch.bfloat16, torch.float32
common.add_case("f16", matmul(F16, F16, 2e-3))
common.add_case("f16_small_blocks", matmul(F16, F32, 1e-5, blocks=(32, 64, 32), warps=2))
common.add_case("f16_128x256", matmul(F16, F16, 2e-3, blocks=(128, 256, 64), warps=8, stages=3))
common.add_case("f16_one_warp", matmul(F16, F32, 1e-5, blocks=(16, 16, 16), warps=1, stages=1))
common.add_case("f16_turned", matmul(F16, F16, 2e-3, turned=True))
common.add_case("bf16", matmul(BF16, BF16, 1e-2))
common.add_case("bf16_4_warps", matmul(BF16, F32, 1e-5, blocks=(64, 128, 32), warps=4, stages=4))
common.add_case("e4m3", matmul(F8[0], F16, 2e-3, blocks=(128, 128, 128)))
common.add_case("e4m3_small", matmul(F8[0], F32, 1e-3, blocks=(64, 64, 64), warps=4))
common.add_case("e5m2", matmul(F8[1], F16, 2e-3, blocks=(128, 128, 128)))
common.add_case("i8", matmul(torch.int8, torch.int32, 0, blocks=(128, 128, 128)))
common.add_case("i8_small", matmul(torch.int8, torch.int32, 0, blocks=(32, 32, 64), warps=4))
common.add_case("tf32", matmul(F32, F32, 2e-3, blocks=(128, 128, 32)))
common.add_case("tf32_small", matmul(F32, F32, 2e-3, blocks=(32, 32, 32), warps=4))
common.add_case("tf32x3", matmul(F32, F32, 1e-5, kind="tf32x3", blocks=(64, 64, 32), warps=4, stages=2))
common.add_case("f32", matmul(F32, F32, 1e-5, kind="ieee", blocks=(64, 64, 16), warps=4, size=2048))
common.add_case("f64", matmul(torch.float64, torch.float64, 1e-13, kind="ieee", blocks=(32, 32, 16), warps=4, stages=2,
                              size=1024))


@triton.jit
def persistent_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, G: tl.constexpr,
                      programs: tl.constexpr, roles: tl.constexpr, flat: tl.constexpr):
    """Tiles by tensor descriptors that the host made; each program takes many tiles."""
    across, down = tl.cdiv(N, BN), tl.cdiv(M, BM)
    for tile in tl.range(tl.program_id(0), across * down, programs, flatten=flat, warp_specialize=roles):
        group = tile // (G * across)
        first = group * G
        size = min(down - first, G)
        pid_m = first + (tile % size)
        pid_n = (tile % (G * across)) // size
        total = tl.zeros((BM, BN), tl.float32)
        for k in range(0, tl.cdiv(K, BK)):
            x = a.load([pid_m * BM, k * BK])
            y = b.load([pid_n * BN, k * BK])
            total = tl.dot(x, y.T, total)
        c.store([pid_m * BM, pid_n * BN], total.to(c.dtype))


def persistent(dtype, out_dtype, off, blocks=(128, 128, 64), warps=8, stages=3, roles=False, flat=False):
    @timed
    def run(big):
        m, n, k = (4096, 4096, 4096) if big else (512, 768, 320)
        a, b = inputs(m, n, k, dtype, big, turned=True)
        c = empty(m, n, dtype=out_dtype)
        bm, bn, bk = blocks
        words = (TensorDescriptor.from_tensor(a, [bm, bk]), TensorDescriptor.from_tensor(b.t(), [bn, bk]),
                 TensorDescriptor.from_tensor(c, [bm, bn]))
        programs = min(132, triton.cdiv(m, bm) * triton.cdiv(n, bn))

        def go():
            persistent_kernel[(programs,)](*words, m, n, k, BM=bm, BN=bn, BK=bk, G=8, programs=132, roles=roles, flat=flat,
                                           num_warps=warps, num_stages=stages)

        go()
        return Outcome(c[:300], None if DRY else product(a, b, 300), off, measure=go, work=2 * m * n * k)

    return run


common.add_case("tma_f16", persistent(F16, F16, 2e-3))
common.add_case("tma_f16_flat", persistent(F16, F16, 2e-3, flat=True))
common.add_case("tma_bf16_128x256", persistent(BF16, BF16, 1e-2, (128, 256, 64)))
common.add_case("tma_e4m3", persistent(F8[0], F16, 2e-3, (128, 128, 128)))
common.add_case("tma_f16_roles", persistent(F16, F16, 2e-3, warps=8, roles=True))
common.add_case("tma_f16_roles_64", persistent(F16, F16, 2e-3, (64, 128, 64), warps=4, roles=True))
common.add_case("tma_f16_roles_flat", persistent(F16, F16, 2e-3, (64, 64, 64), warps=4, roles=True, flat=True))


@triton.jit
def device_descriptor_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Descriptors that the kernel makes."""
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(left.load([row, k]), right.load([column, k]).T, total)
    out.store([row, column], total.to(c.dtype.element_ty))


@case
@timed
def tma_by_device(big):
    m, n, k = (4096, 4096, 4096) if big else (300, 512, 200)
    a, b = inputs(m, n, k, F16, big, turned=True)
    c = empty(m, n, dtype=F16)

    def go():
        device_descriptor_kernel[(triton.cdiv(m, 128), triton.cdiv(n, 128))](a, b.t(), c, m, n, k, BM=128, BN=128, BK=64,
                                                                            num_warps=8)

    go()
    return Outcome(c[:300], None if DRY else product(a, b, 300), 2e-3, measure=go, work=2 * m * n * k)


@triton.jit
def grouped_kernel(pointers, sizes, groups, programs: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Products of different sizes in one start, by pointers in memory."""
    tile = tl.program_id(0)
    done = 0
    for g in range(groups):
        m, n, k = tl.load(sizes + g * 3), tl.load(sizes + g * 3 + 1), tl.load(sizes + g * 3 + 2)
        across = tl.cdiv(n, BN)
        count = tl.cdiv(m, BM) * across
        while tile >= done and tile < done + count:
            a = tl.load(pointers + g * 3).to(tl.pointer_type(tl.float16))
            b = tl.load(pointers + g * 3 + 1).to(tl.pointer_type(tl.float16))
            c = tl.load(pointers + g * 3 + 2).to(tl.pointer_type(tl.float16))
            local = tile - done
            rows = (local // across) * BM + tl.arange(0, BM)
            columns = (local % across) * BN + tl.arange(0, BN)
            inner = tl.arange(0, BK)
            total = tl.zeros((BM, BN), tl.float32)
            for at in range(0, tl.cdiv(k, BK)):
                x = tl.load(a + rows[:, None] * k + (at * BK + inner)[None, :],
                            (rows[:, None] < m) & ((at * BK + inner)[None, :] < k), other=0.0)
                y = tl.load(b + (at * BK + inner)[:, None] * n + columns[None, :],
                            ((at * BK + inner)[:, None] < k) & (columns[None, :] < n), other=0.0)
                total += tl.dot(x, y)
            tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16),
                     (rows[:, None] < m) & (columns[None, :] < n))
            tile += programs
        done += count


@case
@timed
def grouped(big):
    shapes = [(1024, 1024, 1024), (512, 512, 512), (2048, 256, 1024), (100, 300, 500)] * (4 if big else 1)
    arrays = [(randn(m, k, seed=1, dtype=F16), randn(k, n, seed=2, dtype=F16), empty(m, n, dtype=F16)) for m, n, k in shapes]
    pointers = torch.tensor([[t.data_ptr() for t in three] for three in arrays], dtype=torch.int64, device=DEVICE)
    sizes = torch.tensor(shapes, dtype=torch.int32, device=DEVICE)

    def go():
        grouped_kernel[(132,)](pointers, sizes, len(shapes), programs=132, BM=128, BN=64, BK=32, num_warps=4)

    go()
    want = [] if DRY else [product(a, b) for a, b, _ in arrays[:4]]
    return Outcome([c for _, _, c in arrays[:4]], want, 2e-3, measure=go, work=sum(2 * m * n * k for m, n, k in shapes))


@triton.jit
def split_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, S: tl.constexpr):
    """Parts of K are added by atomic operations."""
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(tl.program_id(2) * BK, K, BK * S):
        inner = k + tl.arange(0, BK)
        total += tl.dot(tl.load(a + rows[:, None] * K + inner[None, :]), tl.load(b + inner[:, None] * N + columns[None, :]))
    tl.atomic_add(c + rows[:, None] * N + columns[None, :], total, sem="relaxed")


@case
def split_along_k():
    m, n, k = 128, 128, 2048
    a, b = inputs(m, n, k, BF16, False)
    c = torch.zeros(m, n, device=DEVICE)
    split_kernel[(2, 2, 8)](a, b, c, m, n, k, BM=64, BN=64, BK=64, S=8)
    return Outcome(c, None if DRY else product(a, b), 1e-5, ordered=False)


@triton.jit
def batched_kernel(a, b, c, K: tl.constexpr, M: tl.constexpr, N: tl.constexpr, S: tl.constexpr):
    """A product of three dimensions."""
    s, rows, columns, inner = tl.arange(0, S), tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + s[:, None, None] * M * K + rows[None, :, None] * K + inner[None, None, :])
    y = tl.load(b + s[:, None, None] * K * N + inner[None, :, None] * N + columns[None, None, :])
    tl.store(c + s[:, None, None] * M * N + rows[None, :, None] * N + columns[None, None, :], tl.dot(x, y))


@case
def batched():
    a, b, c = randn(4, 32, 32, dtype=F16), randn(4, 32, 32, seed=2, dtype=F16), empty(4, 32, 32)
    batched_kernel[(1,)](a, b, c, K=32, M=32, N=32, S=4)
    return Outcome(c, None if DRY else a.double() @ b.double(), 1e-5)


@triton.jit
def vector_kernel(a, x, out, K, BM: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros((BM, BK), tl.float32)
    for k in range(0, K, BK):
        inner = k + tl.arange(0, BK)
        total += tl.load(a + rows[:, None] * K + inner[None, :]).to(tl.float32) * tl.load(x + inner).to(tl.float32)[None, :]
    tl.store(out + rows, tl.sum(total, 1))


@case
@timed
def matrix_by_vector(big):
    m, k = (16384, 16384) if big else (512, 1024)
    a, x, out = big_randn(m, k, dtype=BF16), big_randn(k, seed=2, dtype=BF16), empty(m)

    def go():
        vector_kernel[(m // 16,)](a, x, out, k, BM=16, BK=256, num_warps=4)

    go()
    return Outcome(out[:512], None if DRY else a[:512].double() @ x.double(), 1e-5, measure=go, work=2 * m * k)


@triton.jit
def scaled_kernel(a, sa, b, sb, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """A product of e4m3 with scales for each 32 elements; Hopper has no instruction for it."""
    rows, columns, inner, scales = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    x = tl.load(a + rows[:, None] * K + inner[None, :])
    y = tl.load(b + inner[:, None] * N + columns[None, :])
    left = tl.load(sa + rows[:, None] * (K // 32) + scales[None, :])
    right = tl.load(sb + columns[:, None] * (K // 32) + scales[None, :])
    total = tl.dot_scaled(x, left, "e4m3", y, right, "e4m3")
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@case
def scaled():
    m, n, k = 128, 128, 128
    a, b = randn(m, k).to(F8[0]), randn(k, n, seed=2).to(F8[0])
    sa, sb = randint(124, 131, m, k // 32, dtype=torch.uint8), randint(124, 131, n, k // 32, seed=2, dtype=torch.uint8)
    c = empty(m, n)
    scaled_kernel[(1,)](a, sa, b, sb, c, M=m, N=n, K=k)
    if DRY:
        return Outcome(c, None)
    power = lambda s: torch.exp2(s.double() - 127)
    left = a.double() * power(sa).repeat_interleave(32, 1)
    right = b.double() * power(sb).repeat_interleave(32, 1).t()
    return Outcome(c, left @ right, 1e-5)


if __name__ == "__main__":
    main()
