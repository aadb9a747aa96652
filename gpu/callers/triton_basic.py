"""Triton: elementwise code, reductions, layer norm, random numbers."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

from common import Outcome, case, timed
from triton_common import big_randn, empty, main, randint, randn


@triton.jit
def add_kernel(x, y, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@case
@timed
def vector_add(big):
    n = 1 << 27 if big else 100_003
    x, y = big_randn(n, seed=1), big_randn(n, seed=2)
    out = empty(n)

    def go():
        add_kernel[(triton.cdiv(n, 1024),)](x, y, out, n, B=1024)

    go()
    return Outcome(out[:100_003], (x + y)[:100_003], 0, measure=go, work=12 * n)


@triton.jit
def softmax_kernel(x, out, stride, columns, B: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, B)
    values = tl.load(x + row * stride + at, at < columns, other=float("-inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + at, values / tl.sum(values, 0), at < columns)


@case
@timed
def softmax(big):
    rows, columns = (16384, 4000) if big else (64, 4000)
    x = big_randn(rows, columns)
    out = empty(rows, columns)

    def go():
        softmax_kernel[(rows,)](x, out, columns, columns, B=4096, num_warps=8)

    go()
    return Outcome(out[:64], torch.softmax(x[:64].double(), 1), 1e-6, measure=go, work=8 * rows * columns)


@triton.jit
def softmax_persistent_kernel(x, out, rows, stride, columns, B: tl.constexpr, stages: tl.constexpr):
    """The fused softmax of Triton's tutorial: each program takes many rows."""
    at = tl.arange(0, B)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=stages):
        values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
        values = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * stride + at, values / tl.sum(values, axis=0), mask=at < columns)


@case
@timed
def softmax_persistent(big):
    rows, columns = (16384, 1500) if big else (300, 1500)
    x, out = big_randn(rows, columns), empty(rows, columns)

    def go():
        softmax_persistent_kernel[(132 * 4,)](x, out, rows, columns, columns, B=2048, stages=4, num_warps=8)

    go()
    return Outcome(out[:300], torch.softmax(x[:300].double(), 1), 1e-6, measure=go, work=8 * rows * columns)


@triton.jit
def layer_norm_kernel(X, Y, W, B_, Mean, Rstd, stride, N, eps, B: tl.constexpr):
    row = tl.program_id(0)
    X += row * stride
    Y += row * stride
    total = tl.zeros([B], dtype=tl.float32)
    for off in range(0, N, B):
        at = off + tl.arange(0, B)
        total += tl.load(X + at, mask=at < N, other=0.).to(tl.float32)
    mean = tl.sum(total, axis=0) / N
    total = tl.zeros([B], dtype=tl.float32)
    for off in range(0, N, B):
        at = off + tl.arange(0, B)
        x = tl.load(X + at, mask=at < N, other=0.).to(tl.float32)
        x = tl.where(at < N, x - mean, 0.)
        total += x * x
    rstd = 1 / tl.sqrt(tl.sum(total, axis=0) / N + eps)
    tl.store(Mean + row, mean)
    tl.store(Rstd + row, rstd)
    for off in range(0, N, B):
        at = off + tl.arange(0, B)
        x = tl.load(X + at, mask=at < N, other=0.).to(tl.float32)
        y = (x - mean) * rstd * tl.load(W + at, mask=at < N) + tl.load(B_ + at, mask=at < N)
        tl.store(Y + at, y, mask=at < N)


@triton.jit
def layer_norm_backward_kernel(DX, DY, DW, DB, X, W, Mean, Rstd, Lock, stride, N, G: tl.constexpr, B: tl.constexpr):
    """The backward pass of Triton's tutorial: sums of rows are added under locks."""
    row = tl.program_id(0)
    at = tl.arange(0, B)
    mask = at < N
    X += row * stride
    DY += row * stride
    DX += row * stride
    lock = row % G
    Lock += lock
    Count = Lock + G
    DW = DW + lock * N + at
    DB = DB + lock * N + at
    x = tl.load(X + at, mask=mask, other=0).to(tl.float32)
    dy = tl.load(DY + at, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + at, mask=mask).to(tl.float32)
    mean = tl.load(Mean + row)
    rstd = tl.load(Rstd + row)
    xhat = tl.where(mask, (x - mean) * rstd, 0.)
    wdy = tl.where(mask, w * dy, 0.)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(DX + at, (wdy - (xhat * c1 + c2)) * rstd, mask=mask)
    partial_dw = (dy * xhat).to(w.dtype)
    partial_db = dy.to(w.dtype)
    while tl.atomic_cas(Lock, 0, 1) == 1:
        pass
    count = tl.load(Count)
    if count == 0:
        tl.atomic_xchg(Count, 1)
    else:
        partial_dw += tl.load(DW, mask=mask)
        partial_db += tl.load(DB, mask=mask)
    tl.store(DW, partial_dw, mask=mask)
    tl.store(DB, partial_db, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(Lock, 0)


def normed(x, w, b):
    return torch.nn.functional.layer_norm(x, x.shape[1:], w, b, 1e-5)


@case
@timed
def layer_norm(big):
    rows, columns = (16384, 4096) if big else (151, 1000)
    x = big_randn(rows, columns, dtype=torch.float16)
    w, b = randn(columns, seed=2, dtype=torch.float16), randn(columns, seed=3, dtype=torch.float16)
    out, mean, rstd = empty(rows, columns, dtype=torch.float16), empty(rows), empty(rows)

    def go():
        layer_norm_kernel[(rows,)](x, out, w, b, mean, rstd, columns, columns, 1e-5, B=1024, num_warps=8)

    go()
    want = normed(x[:151].double(), w.double(), b.double())
    return Outcome(out[:151], want, 2e-3, measure=go, work=4 * rows * columns)


@case
@timed
def layer_norm_backward(big):
    rows, columns, groups = (8192, 4096, 64) if big else (151, 1000, 16)
    x = big_randn(rows, columns).double()
    w, b = randn(columns, seed=2), randn(columns, seed=3)
    dy = big_randn(rows, columns, seed=4)
    mean, var = x.mean(1), x.var(1, unbiased=False)
    rstd = (1 / torch.sqrt(var + 1e-5)).float()
    x32, mean32 = x.float(), mean.float()
    dx = empty(rows, columns)
    dw, db = torch.zeros(groups, columns, device=x.device), torch.zeros(groups, columns, device=x.device)
    locks = torch.zeros(2 * groups, dtype=torch.int32, device=x.device)

    def go():
        layer_norm_backward_kernel[(rows,)](dx, dy, dw, db, x32, w, mean32, rstd, locks, columns, columns, G=groups,
                                            B=triton.next_power_of_2(columns), num_warps=8)

    go()
    sums = dw.sum(0), db.sum(0)
    if big:
        return Outcome(dx[:4], None, measure=go)
    leaf = [t.detach().double().requires_grad_() for t in (x, w, b)]
    grads = torch.autograd.grad(normed(*leaf), leaf, dy.double())
    # The order in which rows take a lock is not fixed.
    return Outcome([dx, *sums], list(grads), 1e-5, ordered=False)


@triton.jit
def dropout_kernel(x, out, n, p, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, tl.load(x + at, mask=mask) / (1 - p), 0.0), mask=mask)


@triton.jit
def philox_kernel(bits, uniform, normal, four, n, seed, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    tl.store(bits + at, tl.randint(seed, at), mask=mask)
    tl.store(uniform + at, tl.rand(seed, at), mask=mask)
    tl.store(normal + at, tl.randn(seed, at), mask=mask)
    a, b, c, d = tl.randint4x(seed, at)
    tl.store(four + at, a ^ b ^ c ^ d, mask=mask)


def philox(seed, offset):
    """Philox 4x32 with ten rounds, with integers of 64 bits; the four words for each offset."""
    mask = 0xFFFFFFFF
    c = [offset.to(torch.int64) & mask, *(torch.zeros_like(offset, dtype=torch.int64) for _ in range(3))]
    k0, k1 = seed & mask, (seed >> 32) & mask

    def times(a, b):
        # The halves of a product of 32 bits, without a sign bit in the way.
        low, high = b & 0xFFFF, b >> 16
        p, q = a * low, a * high
        s = p + ((q & 0xFFFF) << 16)
        return ((q >> 16) + (s >> 32)) & mask, s & mask

    for _ in range(10):
        hi0, lo0 = times(0xD2511F53, c[0])
        hi1, lo1 = times(0xCD9E8D57, c[2])
        c = [hi1 ^ c[1] ^ k0, lo1, hi0 ^ c[3] ^ k1, lo0]
        k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
    return c


@case
def random_numbers():
    n, seed = 5000, 77
    bits, four = empty(n, dtype=torch.int32), empty(n, dtype=torch.int32)
    uniform, normal = empty(n), empty(n)
    philox_kernel[(5,)](bits, uniform, normal, four, n, seed, B=1024)
    words = philox(seed, torch.arange(n))
    want = [(w.to(torch.int64) + 2**31) % 2**32 - 2**31 for w in (words[0], words[0] ^ words[1] ^ words[2] ^ words[3])]

    def unit(word):
        signed = (word + 2**31) % 2**32 - 2**31
        return torch.where(signed < 0, -signed - 1, signed).double() * 4.6566127342e-10

    u1, u2 = unit(words[0]).clamp(min=1e-7), unit(words[1])
    gauss = torch.sqrt(-2 * torch.log(u1)) * torch.cos(6.283185307179586 * u2)
    return Outcome([bits, four, uniform, normal], [*want, unit(words[0]), gauss], 2e-6)


@case
@timed
def dropout(big):
    n = 1 << 26 if big else 10_000
    x, out = big_randn(n), empty(n)

    def go():
        dropout_kernel[(triton.cdiv(n, 1024),)](x, out, n, 0.3, 123, B=1024)

    go()
    word = philox(123, torch.arange(10_000))[0]
    signed = (word + 2**31) % 2**32 - 2**31
    keep = torch.where(signed < 0, -signed - 1, signed).float() * 4.6566127342e-10 > 0.3
    want = torch.where(keep.to(x.device), x[:10_000] / (1 - torch.tensor(0.3, device=x.device)), 0.0)
    return Outcome(out[:10_000], want, 1e-6, measure=go, work=8 * n)


@triton.jit
def functions_kernel(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    v = tl.load(x + at, mask)
    positive = tl.abs(v) + 0.01
    tl.store(out + 0 * n + at, tl.exp(v), mask)
    tl.store(out + 1 * n + at, tl.log(positive), mask)
    tl.store(out + 2 * n + at, tl.sin(v), mask)
    tl.store(out + 3 * n + at, tl.cos(v), mask)
    tl.store(out + 4 * n + at, tl.sqrt(positive), mask)
    tl.store(out + 5 * n + at, tl.rsqrt(positive), mask)
    tl.store(out + 6 * n + at, tl.erf(v), mask)
    tl.store(out + 7 * n + at, tl.sigmoid(v), mask)
    tl.store(out + 8 * n + at, tl.floor(v) + tl.ceil(v), mask)
    tl.store(out + 9 * n + at, tl.fma(v, v, v), mask)
    tl.store(out + 10 * n + at, tl.exp2(v) + tl.log2(positive), mask)
    tl.store(out + 11 * n + at, tl.sqrt_rn(positive) + tl.div_rn(v, positive), mask)


def functions_of(x):
    p = x.abs() + 0.01
    return torch.stack([x.exp(), p.log(), x.sin(), x.cos(), p.sqrt(), p.rsqrt(), torch.erf(x), torch.sigmoid(x),
                        x.floor() + x.ceil(), x * x + x, torch.exp2(x) + torch.log2(p), p.sqrt() + x / p])


@case
def functions():
    n = 20_000
    x = randn(n) * 4
    out = empty(12, n)
    functions_kernel[(triton.cdiv(n, 256),)](x, out, n, B=256)
    want = functions_of(x.double())
    # Each row against its own largest value.
    scale = want.abs().amax(1, keepdim=True)
    return Outcome([out, (out.double() / scale)], [want, want / scale], 2e-6)


@triton.jit
def libdevice_kernel(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    v = tl.load(x + at, mask)
    positive = tl.abs(v) + 0.01
    tl.store(out + 0 * n + at, libdevice.tanh(v), mask)
    tl.store(out + 1 * n + at, libdevice.pow(positive, v), mask)
    tl.store(out + 2 * n + at, libdevice.expm1(v), mask)
    tl.store(out + 3 * n + at, libdevice.log1p(positive), mask)
    tl.store(out + 4 * n + at, libdevice.atan2(v, positive), mask)
    tl.store(out + 5 * n + at, libdevice.tgamma(positive), mask)
    tl.store(out + 6 * n + at, libdevice.erfinv(v / 20), mask)
    tl.store(out + 7 * n + at, libdevice.cbrt(v), mask)
    tl.store(out + 8 * n + at, libdevice.fmod(v, positive), mask)
    tl.store(out + 9 * n + at, libdevice.asin(v / 20), mask)
    tl.store(out + 10 * n + at, libdevice.tan(v), mask)
    tl.store(out + 11 * n + at, libdevice.lgamma(positive), mask)


def libdevice_case(dtype, off):
    n = 6000
    x = (randn(n) * 3).to(dtype)
    out = empty(12, n, dtype=dtype)
    libdevice_kernel[(triton.cdiv(n, 256),)](x, out, n, B=256)
    v = x.double().cpu()
    p = (x.abs() + 0.01).double().cpu()
    want = [v.tanh(), p.pow(v), v.expm1(), p.log1p(), torch.atan2(v, p), torch.exp(torch.lgamma(p)),
            torch.erfinv((x / 20).double().cpu()), torch.sign(v) * v.abs() ** (1 / 3), torch.fmod(v, p),
            torch.asin((x / 20).double().cpu()), v.tan(), torch.lgamma(p)]
    return Outcome([*out.unbind(0)], want, off)


@case
def libdevice_f32():
    return libdevice_case(torch.float32, 1e-4)


@case
def libdevice_f64():
    return libdevice_case(torch.float64, 1e-12)


@case
def functions_f64():
    n = 5000
    x = (randn(n) * 4).double()
    out = empty(12, n, dtype=torch.float64)
    f64_kernel[(triton.cdiv(n, 256),)](x, out, n, B=256)
    p = x.abs() + 0.01
    want = torch.stack([x.exp(), p.log(), x.sin(), x.cos(), p.sqrt(), 1 / p, torch.erf(x), x * x + x, x.floor(), x / p,
                        torch.maximum(x, p), x - p])
    return Outcome(out, want, 1e-13)


@triton.jit
def f64_kernel(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    v = tl.load(x + at, mask)
    positive = tl.abs(v) + 0.01
    tl.store(out + 0 * n + at, tl.exp(v), mask)
    tl.store(out + 1 * n + at, tl.log(positive), mask)
    tl.store(out + 2 * n + at, tl.sin(v), mask)
    tl.store(out + 3 * n + at, tl.cos(v), mask)
    tl.store(out + 4 * n + at, tl.sqrt(positive), mask)
    tl.store(out + 5 * n + at, 1 / positive, mask)
    tl.store(out + 6 * n + at, tl.erf(v), mask)
    tl.store(out + 7 * n + at, tl.fma(v, v, v), mask)
    tl.store(out + 8 * n + at, tl.floor(v), mask)
    tl.store(out + 9 * n + at, v / positive, mask)
    tl.store(out + 10 * n + at, tl.maximum(v, positive), mask)
    tl.store(out + 11 * n + at, v - positive, mask)


@triton.jit
def integers_kernel(x, y, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    mask = at < n
    a, b = tl.load(x + at, mask), tl.load(y + at, mask, other=1)
    tl.store(out + 0 * n + at, a // b, mask)
    tl.store(out + 1 * n + at, a % b, mask)
    tl.store(out + 2 * n + at, a * b + (a ^ b), mask)
    tl.store(out + 3 * n + at, (a << (b & 15)) | (a >> (b & 7)), mask)
    tl.store(out + 4 * n + at, tl.maximum(a, b) - tl.minimum(a, b), mask)
    tl.store(out + 5 * n + at, ~a & b, mask)
    tl.store(out + 6 * n + at, tl.where(a > b, a, -b), mask)
    tl.store(out + 7 * n + at, tl.abs(a), mask)


def integers_case(dtype):
    n = 4000
    bits = 8 * torch.empty(0, dtype=dtype).element_size()
    top = 2 ** min(bits - 1, 40) - 1
    a, b = randint(-top, top, n, seed=1, dtype=dtype), randint(1, top, n, seed=2, dtype=dtype)
    out = empty(8, n, dtype=dtype)
    integers_kernel[(triton.cdiv(n, 512),)](a, b, out, n, B=512)
    trunc = torch.div(a.cpu(), b.cpu(), rounding_mode="trunc").to(a.device)
    want = torch.stack([trunc, a - trunc * b, a * b + (a ^ b), (a << (b & 15)) | (a >> (b & 7)),
                        torch.maximum(a, b) - torch.minimum(a, b), ~a & b, torch.where(a > b, a, -b), a.abs()])
    if bits == 8:
        # A shift by 8 or more is not defined.
        out, want = out[[0, 1, 2, 4, 5, 6, 7]], want[[0, 1, 2, 4, 5, 6, 7]]
    return Outcome(out.long() - want.long(), torch.zeros_like(out.long()), 0)


for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
    def one(dtype=dtype):
        return integers_case(dtype)

    one.__name__ = f"integers_{dtype}".replace("torch.", "")
    case(one)


@triton.jit
def stencil_kernel(x, out, H, W, BH: tl.constexpr, BW: tl.constexpr):
    rows = tl.program_id(0) * BH + tl.arange(0, BH)
    columns = tl.program_id(1) * BW + tl.arange(0, BW)
    at = rows[:, None] * W + columns[None, :]
    total = tl.zeros((BH, BW), tl.float32)
    for dy in tl.static_range(-1, 2):
        for dx in tl.static_range(-1, 2):
            r, c = rows[:, None] + dy, columns[None, :] + dx
            inside = (r >= 0) & (r < H) & (c >= 0) & (c < W)
            total += tl.load(x + r * W + c, inside, other=0.0)
    tl.store(out + at, total / 9, (rows[:, None] < H) & (columns[None, :] < W))


@case
@timed
def stencil(big):
    h, w = (8192, 8192) if big else (200, 333)
    x, out = big_randn(h, w), empty(h, w)

    def go():
        stencil_kernel[(triton.cdiv(h, 16), triton.cdiv(w, 128))](x, out, h, w, BH=16, BW=128)

    go()
    want = torch.nn.functional.avg_pool2d(x[None, None, :201, :334].double(), 3, 1, 1)[0, 0]
    return Outcome(out[:200, :333], want[:200, :333], 1e-6, measure=go, work=8 * h * w)


@triton.jit
def mandelbrot_kernel(out, W, limit, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    cx, cy = (at % W) * (3.0 / W) - 2.0, (at // W) * (2.0 / W) - 1.0
    x, y, count = cx * 0, cy * 0, tl.zeros((B,), tl.int32)
    step = 0
    while step < limit:
        inside = x * x + y * y < 4.0
        x, y = tl.where(inside, x * x - y * y + cx, x), tl.where(inside, 2 * x * y + cy, y)
        count += inside.to(tl.int32)
        step += 1
    tl.store(out + at, count)


@case
@timed
def mandelbrot(big):
    w = 2048 if big else 256
    out = empty(w * w, dtype=torch.int32)

    def go():
        mandelbrot_kernel[(w * w // 256,)](out, w, 200, B=256)

    go()
    # Points at the rim depend on rounding: only the bits of both variants are compared, and the sum roughly.
    return Outcome([out], None, measure=go)


if __name__ == "__main__":
    main()
