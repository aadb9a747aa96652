"""PyTorch: functions and models by torch.compile, whose kernels are Triton's, against the same without it."""

import os

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

import torch
import torch.nn.functional as F
from torch import nn

import common
from common import Outcome, case, timed
from triton_common import DEVICE, DRY, big_randn, dry, median, prepare, randint, randn, synchronize

torch.set_float32_matmul_precision("highest")


def both(function, arguments, off, backward=False, measure=True, **options):
    """Compiled, and not; with gradients of the first result with respect to all arguments and parameters."""
    compiled = torch.compile(function, **options)

    def values(f):
        given = [a.detach().clone().requires_grad_(backward and a.is_floating_point()) for a in arguments]
        results = common.as_list(f(*given))
        if backward:
            parameters = list(function.parameters()) if isinstance(function, nn.Module) else []
            leaves = [a for a in given if a.requires_grad] + parameters
            results = [*results, *torch.autograd.grad(results[0].float().pow(2).mean(), leaves)]
        return [r.detach() for r in results]

    have, want = values(compiled), values(function)
    return Outcome(have, want, off, measure=(lambda: values(compiled)) if backward else (lambda: compiled(*arguments)))


def module(network, dtype=torch.float32):
    """The same parameters in every process."""
    for number, parameter in enumerate(network.parameters()):
        with torch.no_grad():
            parameter.copy_(randn(*parameter.shape, seed=100 + number) * (0.5 / max(1, parameter.shape[-1]) ** 0.5 + 0.02))
    return network.to(DEVICE, dtype)


@case
@timed
def elementwise(big):
    n = 1 << 26 if big else 100_001
    x, y = big_randn(n), big_randn(n, seed=2)
    return both(lambda x, y: F.gelu(x) * torch.sigmoid(y) + torch.tanh(x - y).abs().sqrt(), [x, y], 1e-5)


@case
@timed
def normalise(big):
    x = big_randn(8192 if big else 37, 4096)
    w, b = randn(4096, seed=2), randn(4096, seed=3)
    return both(lambda x, w, b: F.gelu(F.layer_norm(x, (4096,), w, b)) + x, [x, w, b], 1e-5)


@case
@timed
def rms_rope(big):
    """What precedes attention in a language model."""
    x = big_randn(8 if big else 2, 2048 if big else 65, 16, 128, dtype=torch.bfloat16)
    w = randn(128, seed=2, dtype=torch.bfloat16)

    def go(x, w):
        y = x.float()
        y = (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * w
        at = torch.arange(x.shape[1], device=x.device, dtype=torch.float32)
        angle = at[:, None] / 10000 ** (torch.arange(0, 128, 2, device=x.device) / 128)
        cos, sin = angle.cos()[None, :, None, :], angle.sin()[None, :, None, :]
        a, b = y.float().chunk(2, -1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1).to(x.dtype)

    return both(go, [x, w], 2e-2)


@case
@timed
def cross_entropy(big):
    x, t = big_randn(4096 if big else 65, 32000), randint(0, 32000, 4096 if big else 65, dtype=torch.int64)
    return both(lambda x: F.cross_entropy(x, t), [x], 1e-5, backward=True)


@case
@timed
def reductions(big):
    x = big_randn(4096 if big else 100, 5000)
    return both(lambda x: [x.sum(0), x.amax(1), x.var(1), x.std(0), x.argmax(1), x.norm(), x.any(1), x.logsumexp(0)], [x], 1e-5)


@case
def scans():
    x = randn(40, 3000)
    return both(lambda x: [x.cumsum(1), (1 + x * 0.001).cumprod(1), x.logcumsumexp(1)], [x], 1e-4)


@case
def sort_and_index():
    x, at = randn(64, 400), randint(0, 64, 1000, dtype=torch.int64)
    return both(lambda x: [*x.sort(1), x[at] * 2, torch.zeros_like(x).index_add(0, at, x[at]), x.flip(0).roll(3, 1),
                           F.one_hot(at, 64).sum(0), torch.searchsorted(x.sort(1)[0], x)], [x], 1e-5)


@case
def types():
    x = randn(10_000) * 50
    return both(lambda x: [x.half().float() * 2, x.bfloat16() + 1, x.to(torch.int32) // 7, x.to(torch.int64) % 13, x.double().exp(),
                           (x.to(torch.int16) << 2) ^ 5, x.to(torch.float8_e4m3fn).float(), x > 0,
                           x.abs().clamp(max=200).to(torch.uint8)], [x], 1e-5)


@case
def complex_views():
    x = randn(64, 128)
    return both(lambda x: F.pad(x.unfold(1, 16, 4).mean(-1), (3, 5), value=2.0).repeat(2, 3).clamp(-0.5, 1), [x], 1e-5)


@case
def dropout():
    """Random numbers of inductor: about the right share is kept, and both variants keep the same."""
    x = randn(1_000_000).abs() + 1
    compiled = torch.compile(lambda x: F.dropout(x, 0.25))
    torch.manual_seed(5)
    y = compiled(x)
    kept = (y != 0).float().mean()
    if not DRY:
        assert abs(kept.item() - 0.75) < 0.01, kept
        assert torch.allclose(y[y != 0], x[y != 0] / 0.75)
    return Outcome(y, None)


@case
@timed
def mlp(big):
    network = module(nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.LayerNorm(1024), nn.Linear(1024, 256), nn.SiLU(), nn.Linear(256, 10)))
    return both(network, [big_randn(8192 if big else 64, 512)], 2e-4, backward=True)


class Layer(nn.Module):
    """A layer of a transformer."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, n, w = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / (w // self.heads) ** 0.5
        scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1), float("-inf"))
        x = x + self.out((torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(b, n, w))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


@case
@timed
def transformer(big):
    network = module(Layer(1024 if big else 256, 16 if big else 4))
    return both(network, [big_randn(8 if big else 3, 512 if big else 70, 1024 if big else 256)], 2e-4, backward=True)


@case
def transformer_bf16():
    network = module(Layer(256, 4), torch.bfloat16)
    return both(network, [randn(3, 70, 256, dtype=torch.bfloat16)], 5e-2, backward=True)


@case
@timed
def convolutions(big):
    network = module(nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, stride=2), nn.GroupNorm(8, 64), nn.SiLU(), nn.AdaptiveAvgPool2d(4)))
    return both(network, [big_randn(64 if big else 4, 3, 128 if big else 33, 128 if big else 33)], 1e-3, backward=True)


@case
def products_by_triton():
    """Products of matrices as kernels of Triton, chosen by measuring them; what follows is part of the kernel."""
    from torch._inductor import config

    size = 512
    a, b = big_randn(size, size, dtype=torch.float16), big_randn(size, size, seed=2, dtype=torch.float16)
    with config.patch(max_autotune_gemm=True, max_autotune_gemm_backends="TRITON", max_autotune_gemm_search_space="DEFAULT"):
        outcome = both(lambda a, b: torch.relu(a @ b) + 1, [a, b], 4e-3)
    # Which configuration is the fastest may differ.
    outcome.ordered = False
    return outcome


@case
@timed
def flex_attention(big):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention as flex

    b, h, n, d = (4, 16, 4096, 64) if big else (2, 4, 512, 64)
    q, k, v = (big_randn(b, h, n, d, seed=s, dtype=torch.float16) for s in (1, 2, 3))
    mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, n, n, device=DEVICE)
    compiled = torch.compile(flex)
    have = compiled(q, k, v, block_mask=mask)
    want = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return Outcome(have, want, 5e-3, measure=lambda: compiled(q, k, v, block_mask=mask))


if __name__ == "__main__":
    common.main(synchronize=synchronize, median=median, prepare=prepare, dry=dry)
