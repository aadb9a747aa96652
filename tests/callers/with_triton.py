"""Compiles kernels with Triton, without a GPU, through `raddle` in the place of ptxas, and runs the cubins in the
simulator.

    python tests/callers/with_triton.py RADDLE LINKS [KERNEL...]

RADDLE is the program, LINKS a folder made by `raddle install --into LINKS`. Each cubin must hold the note of Raddle, and
its results must be those of numpy. Nothing of Triton's cache is read or kept.

The LLVM IR that Triton makes of each kernel is compiled, too, by `raddle compile` and the libraries that the variable
LLVM_LIBRARIES names, as VERSION=PATH and separated by colons. Triton's own LLVM is newer: words that only it writes are
spelt as those libraries read them ([`older`]). LLVM 19 lacks the barrier that Triton calls, and must say so by name.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

raddle, links = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
kept = tempfile.TemporaryDirectory()
os.environ["TRITON_PTXAS_PATH"] = os.environ["TRITON_PTXAS_BLACKWELL_PATH"] = os.path.join(links, "ptxas")
os.environ["TRITON_CACHE_DIR"] = kept.name
# Native code only.
os.environ["RADDLE_PTXAS"] = "off"
os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"

import numpy as np  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402

import simulate  # noqa: E402

BLOCK = 128


@triton.jit
def vector_add(x, y, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def softmax(x, out, columns, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    values = tl.load(x + row * columns + at, at < columns, other=float("-inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * columns + at, values / tl.sum(values, 0), at < columns)


@triton.jit
def layer_norm(x, scale, shift, out, columns, B: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, B)
    inside = at < columns
    values = tl.load(x + row * columns + at, inside, other=0.0)
    mean = tl.sum(values, 0) / columns
    centred = tl.where(inside, values - mean, 0.0)
    variance = tl.sum(centred * centred, 0) / columns
    result = centred * (1 / tl.sqrt(variance + 1e-5)) * tl.load(scale + at, inside) + tl.load(shift + at, inside)
    tl.store(out + row * columns + at, result, inside)


@triton.jit
def matmul(a, b, out, K, M: tl.constexpr, N: tl.constexpr, B: tl.constexpr):
    rows, columns, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, B)
    total = tl.zeros((M, N), tl.float32)
    for k in range(0, K, B):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        total += tl.dot(left, right)
    tl.store(out + rows[:, None] * N + columns[None, :], total)


@triton.jit
def attention(q, k, v, out, length, scale, B: tl.constexpr, D: tl.constexpr):
    """Flash attention of one head: a block of queries, keys and values block by block, sums rescaled on the way."""
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


@triton.jit
def attention_backward(q, k, v, gradient, sums, products, out, length, scale, B: tl.constexpr, D: tl.constexpr):
    """Gradients of one head by queries, keys and values. `sums` are the logarithms to base 2 of the sums of the forward pass,
    `products` the row sums of the result times its gradient."""
    inner, columns = tl.arange(0, B), tl.arange(0, D)
    rows = tl.program_id(0) * B + inner
    block = rows[:, None] * D + columns[None, :]
    keys, values = tl.load(k + block), tl.load(v + block)
    by_keys, by_values = tl.zeros((B, D), tl.float32), tl.zeros((B, D), tl.float32)
    for start in range(0, length, B):
        at = start + inner
        queries = tl.load(q + at[:, None] * D + columns[None, :])
        given = tl.load(gradient + at[:, None] * D + columns[None, :])
        weights = tl.exp2(tl.dot(queries, tl.trans(keys)) * scale - tl.load(sums + at)[:, None])
        by_values += tl.dot(tl.trans(weights.to(tl.float16)), given)
        change = weights * (tl.dot(given, tl.trans(values)) - tl.load(products + at)[:, None])
        by_keys += tl.dot(tl.trans(change.to(tl.float16)), queries)
    queries, given = tl.load(q + block), tl.load(gradient + block)
    of_rows, from_rows = tl.load(sums + rows), tl.load(products + rows)
    by_queries = tl.zeros((B, D), tl.float32)
    for start in range(0, length, B):
        at = start + inner
        others = tl.load(k + at[:, None] * D + columns[None, :])
        values = tl.load(v + at[:, None] * D + columns[None, :])
        weights = tl.exp2(tl.dot(queries, tl.trans(others)) * scale - of_rows[:, None])
        change = weights * (tl.dot(given, tl.trans(values)) - from_rows[:, None])
        by_queries += tl.dot(change.to(tl.float16), others)
    natural = scale * 0.6931471805599453
    tl.store(out + block, by_queries * natural)
    tl.store(out + length * D + block, by_keys * natural)
    tl.store(out + 2 * length * D + block, by_values)


@triton.jit
def convolution(x, filters, out, height, width, B: tl.constexpr, C: tl.constexpr, F: tl.constexpr, R: tl.constexpr):
    """R x R filters over an image with zeros around it, as a product of matrices (im2col): a block of pixels by all filters."""
    pixels, channels, outputs = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, C), tl.arange(0, F)
    row, column = pixels // width, pixels % width
    total = tl.zeros((B, F), tl.float32)
    for n in range(R * R):
        y, z = row + n // R - R // 2, column + n % R - R // 2
        inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
        left = tl.load(x + (y * width + z)[:, None] * C + channels[None, :], inside[:, None], other=0.0)
        total += tl.dot(left, tl.load(filters + (n * C + channels)[:, None] * F + outputs[None, :]))
    tl.store(out + pixels[:, None] * F + outputs[None, :], total, (pixels < height * width)[:, None])


rng = np.random.default_rng(7)


def floats(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def cases():
    """Name, kernel, types of arguments, constants, blocks, arguments, what is expected, how far off it may be."""
    x, y = floats(300), floats(300)
    add = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}
    yield "vector_add", vector_add, add, {"B": BLOCK}, 3, [x, y, (300,), 300], x + y, 0
    x = floats(4, 100)
    e = np.exp(x - x.max(1, keepdims=True))
    rows = {"x": "*fp32", "out": "*fp32", "columns": "i32"}
    yield "softmax", softmax, rows, {"B": BLOCK}, 4, [x, (4, 100), 100], e / e.sum(1, keepdims=True), 1e-6
    scale, shift = floats(100), floats(100)
    norm = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * scale + shift
    types = {"x": "*fp32", "scale": "*fp32", "shift": "*fp32", "out": "*fp32", "columns": "i32"}
    yield "layer_norm", layer_norm, types, {"B": BLOCK}, 4, [x, scale, shift, (4, 100), 100], norm, 1e-5
    a, b = floats(64, 64, dtype=np.float16), floats(64, 64, dtype=np.float16)
    types = {"a": "*fp16", "b": "*fp16", "out": "*fp32", "K": "i32"}
    constants = {"M": 64, "N": 64, "B": 32}
    product = a.astype(np.float32) @ b.astype(np.float32)
    yield "matmul", matmul, types, constants, 1, [a, b, (64, 64), 64], product, 1e-4
    q, k, v = (floats(128, 64, dtype=np.float16) for _ in range(3))
    scores = q.astype(np.float32) @ k.astype(np.float32).T / 8
    e = np.exp(scores - scores.max(1, keepdims=True))
    mean = (e / e.sum(1, keepdims=True)) @ v.astype(np.float32)
    types = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "length": "i32", "scale": "fp32"}
    arguments = [q, k, v, (128, 64), 128, float(np.log2(np.e) / 8)]
    yield "attention", attention, types, {"B": 64, "D": 64}, 2, arguments, mean, 2e-3
    gradient = floats(128, 64, dtype=np.float16)
    weights, given = e / e.sum(1, keepdims=True), gradient.astype(np.float32)
    sums = (np.log2(e.sum(1)) + scores.max(1) * np.log2(np.e)).astype(np.float32)
    products = (mean * given).sum(1)
    change = weights * (given @ v.astype(np.float32).T - products[:, None]) / 8
    want = np.stack([change @ k.astype(np.float32), change.T @ q.astype(np.float32), weights.T @ given])
    types = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "gradient": "*fp16", "sums": "*fp32", "products": "*fp32",
             "out": "*fp32", "length": "i32", "scale": "fp32"}
    arguments = [q, k, v, gradient, sums, products, (3, 128, 64), 128, float(np.log2(np.e) / 8)]
    yield "attention_backward", attention_backward, types, {"B": 32, "D": 64}, 4, arguments, want, 5e-3
    x, filters = floats(12, 10, 16, dtype=np.float16), floats(3, 3, 16, 32, dtype=np.float16)
    around = np.pad(x.astype(np.float32), ((1, 1), (1, 1), (0, 0)))
    parts = [around[r:r + 12, s:s + 10] @ filters[r, s].astype(np.float32) for r in range(3) for s in range(3)]
    types = {"x": "*fp16", "filters": "*fp16", "out": "*fp32", "height": "i32", "width": "i32"}
    constants = {"B": 64, "C": 16, "F": 32, "R": 3}
    yield "convolution", convolution, types, constants, 2, [x, filters, (12, 10, 32), 12, 10], sum(parts), 1e-4


def double(value):
    """A number as every LLVM reads it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def older(text, version):
    """LLVM IR of LLVM 23 in the words of an older version: floats by their bits, infinities, attributes."""
    text = re.sub(r"(?<![\w.])f0x([0-9A-F]{8})\b", lambda m: double(struct.unpack(">f", bytes.fromhex(m[1]))[0]), text)
    text = re.sub(r"(?<=[\s\[])([-+]?)inf(?=[,\s\]])", lambda m: double(float(m[1] + "inf")), text)
    if version < 21:
        text = text.replace(" captures(none)", " nocapture").replace(" nocreateundeforpoison", "")
    return text


def from_ir(made, capability, version, library):
    """The cubin that Raddle makes of the LLVM IR, or None where the library has no intrinsic that it calls."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "k.ll"), os.path.join(folder, "k.cubin")
        with open(source, "w") as file:
            file.write(older(made.asm["llir"], version))
        arch = f"sm_{capability}" + ("a" if capability >= 90 else "")
        command = [raddle, "compile", source, "--arch", arch, "--llvm", library, "--history", "off", "-o", out]
        ran = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if ran.returncode != 0:
            assert ran.returncode == 1 and version < 21 and "this LLVM has no intrinsic llvm." in ran.stderr, ran.stderr
            return None
        with open(out, "rb") as file:
            return file.read()


def run(made, cubin, blocks, arguments):
    """Runs a cubin in the simulator; returns the output."""
    given, out = [], None
    for argument in arguments:
        if isinstance(argument, int):
            given.append(("s32", argument))
        elif isinstance(argument, float):
            given.append(("f32", argument))
        elif isinstance(argument, tuple):
            out = np.full(argument, np.nan, np.float32)
            given.append(out)
        else:
            given.append(argument.copy())
    # Two pointers to scratch memory follow, which these kernels do not use. All threads of a group store the sum that
    # they agree on to one word, by a weak store: by the rules of PTX that is a race, and the code of ptxas has it, too.
    simulate.run(raddle, cubin, made.metadata.name, blocks, 32 * made.metadata.num_warps,
                 [*given, None, None], shared=made.metadata.shared, races="warn")
    return out


def main():
    wanted = sys.argv[3:]
    libraries = [word.split("=", 1) for word in os.environ.get("LLVM_LIBRARIES", "").split(":") if word]
    for capability in (80, 90):
        for name, kernel, types, constants, blocks, arguments, want, off in cases():
            if wanted and name not in wanted:
                continue
            types = types | {constant: "constexpr" for constant in constants}
            source = ASTSource(kernel, types, {(list(types).index(c),): v for c, v in constants.items()})
            made = triton.compile(source, target=GPUTarget("cuda", capability, 32))
            have = run(made, made.asm["cubin"], blocks, arguments)
            np.testing.assert_allclose(have, want, rtol=off, atol=off)
            print(f"{name} sm_{capability}: ours, right, Triton {triton.__version__}")
            for version, library in libraries:
                cubin = from_ir(made, capability, int(version), library)
                if cubin is None:
                    print(f"{name} sm_{capability}, LLVM IR by LLVM {version}: refused by name")
                    continue
                have = run(made, cubin, blocks, arguments)
                np.testing.assert_allclose(have, want, rtol=off, atol=off)
                print(f"{name} sm_{capability}, LLVM IR by LLVM {version}: ours, right, Triton {triton.__version__}")


main()
