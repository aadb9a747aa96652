"""JAX: functions by XLA, which starts the ptxas and nvlink of $CALLERS_TOOLKIT, against numpy or the same in f64 on the CPU."""

import os
import sys

TOOLKIT = os.environ.get("CALLERS_TOOLKIT", "/usr/local/cuda")
# XLA compiles with a library by default; these flags make it start programs. Without them it chooses the fastest of
# several kernels by measuring: for results that can be compared it takes the first.
os.environ["XLA_FLAGS"] = " ".join([
    f"--xla_gpu_cuda_data_dir={TOOLKIT}", "--xla_gpu_enable_libnvptxcompiler=false",
    "--xla_gpu_enable_libnvjitlink=false", *os.environ.get("CALLERS_XLA_FLAGS", "--xla_gpu_autotune_level=0").split()])
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
os.environ["JAX_ENABLE_X64"] = "1"
DRY = "--dry" in sys.argv
if DRY:
    os.environ["JAX_PLATFORMS"] = "cuda"
    os.environ["JAX_SKIP_CUDA_CONSTRAINTS_CHECK"] = "1"
else:
    os.environ["JAX_PLATFORMS"] = "cuda,cpu"

import jax
import jax.numpy as jnp
import numpy as np

import common
from common import Outcome, case, timed


def floats(*shape, seed=1, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def place():
    """An H100 that is not there, for --dry."""
    from jax.experimental import topologies
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    config = """
        gpu_device_info {
          threads_per_block_limit: 1024 threads_per_warp: 32 threads_per_core_limit: 2048
          shared_memory_per_block: 49152 shared_memory_per_core: 233472 shared_memory_per_block_optin: 232448
          core_count: 132 fpus_per_core: 128 clock_rate_ghz: 1.98 l2_cache_size: 52428800
          block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
          memory_bandwidth: 3350000000000 device_memory_size: 85000000000
          registers_per_core_limit: 65536 registers_per_block_limit: 65536
          cuda_compute_capability { major: 9 minor: 0 }
        }
        platform_name: "CUDA" dnn_version_info { major: 9 } device_description_str: "H100-SXM5-80GB"
    """
    devices = topologies.get_topology_desc("", "cuda", topology="1x1x1", target_config=config).devices
    return NamedSharding(Mesh(np.array(devices[:1]), ("x",)), PartitionSpec())


def jitted(function, *arrays, off=1e-4, want=None):
    """A function on the GPU, and on the CPU with twice as many bits."""
    if DRY:
        where = place()
        jax.jit(function).lower(*(jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=where) for a in arrays)).compile()
        return Outcome([], [])
    given = [jax.device_put(a, jax.devices("gpu")[0]) for a in arrays]
    compiled = jax.jit(function)
    have = jax.tree.leaves(compiled(*given))
    if sum(a.size for a in arrays) > 4_000_000:
        # Sizes that are only measured.
        return Outcome([], None, measure=lambda: jax.block_until_ready(compiled(*given)))
    if want is None:
        with jax.default_device(jax.devices("cpu")[0]):
            wide = [jnp.asarray(a.astype(np.float64) if a.dtype.kind == "f" else a.astype(np.complex128) if a.dtype.kind == "c" else a) for a in arrays]
            want = jax.tree.leaves(function(*wide))
    return Outcome([np.asarray(h) for h in have], [np.asarray(w) for w in want], off, measure=lambda: jax.block_until_ready(compiled(*given)))


@case
@timed
def elementwise(big):
    n = 1 << 26 if big else 10_007
    x, y = (np.ones((2, n), np.float32) if big else floats(2, n))
    return jitted(lambda x, y: (jnp.tanh(x) * y + 1, jnp.exp(-x * x), jnp.arctan2(x, y), jax.nn.gelu(x), jax.scipy.special.erf(y), jnp.cbrt(x)), x, y)


@case
@timed
def softmax(big):
    return jitted(lambda x: (jax.nn.softmax(x, 1), jax.nn.logsumexp(x, 0)), floats(8192 if big else 100, 4000))


@case
@timed
def layer_norm(big):
    def go(x, w):
        mean, var = x.mean(1, keepdims=True), x.var(1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(var + 1e-5) * w

    return jitted(go, floats(8192 if big else 100, 4096), floats(4096, seed=2))


@case
def reductions():
    return jitted(lambda x: (x.sum(), x.sum(0), x.max(1), x.argmin(1), jnp.prod(1 + x * 0.01, 1), x.std(0), jnp.any(x > 3, 0), jnp.median(x, 1)),
                  floats(130, 500))


@case
def scans():
    def recurrence(x):
        return jax.lax.scan(lambda c, v: (c * 0.9 + v, c), jnp.zeros_like(x[0]), x)

    return jitted(lambda x: (recurrence(x), jnp.cumsum(x, 1), jax.lax.associative_scan(jnp.maximum, x), jax.lax.cumlogsumexp(x, 0),
                             jax.lax.while_loop(lambda s: s[0] < 20, lambda s: (s[0] + 1, jnp.sin(s[1]) + 0.1), (0, x))[1]), floats(64, 200))


@case
def matmul_f32():
    return jitted(lambda a, b: jnp.tanh(a) @ b + 1, floats(200, 300), floats(300, 150, seed=2), off=5e-3)


@case
def matmul_bf16():
    def go(a, b):
        return (a.astype(jnp.bfloat16) @ b.astype(jnp.bfloat16)).astype(jnp.float32)

    return jitted(go, floats(256, 512), floats(512, 256, seed=2), off=3e-2)


@case
def fft():
    return jitted(lambda x: (jnp.fft.fft2(x).real, jnp.fft.irfft(jnp.fft.rfft(x) * 2)), floats(64, 128), off=1e-4)


@case
def sort():
    return jitted(lambda x: (jnp.sort(x, 1), jnp.argsort(x, 0), jax.lax.top_k(x, 10), jnp.unique(x.astype(jnp.int32), size=8), jnp.searchsorted(jnp.sort(x[0]), x[1])),
                  floats(50, 700))


@case
def gather_scatter():
    at = np.random.default_rng(3).integers(0, 100, 400)

    return jitted(lambda x, at: (x[at], jnp.zeros((100, 60), x.dtype).at[at].add(x[at] * 0.5), x.at[5:10].set(0), jnp.take_along_axis(x, at.reshape(100, 4) % 60, 1),
                                 jax.ops.segment_max(x[at], at % 7, 7), jnp.roll(x, 3, 1), jnp.pad(x, 2, mode="reflect")), floats(100, 60), at)


@case
def convolution():
    def go(x, w):
        y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        y = jax.nn.relu(y)
        return jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    return jitted(go, floats(2, 32, 32, 8), floats(3, 3, 8, 16, seed=2), off=5e-3)


@case
def integers():
    x = np.random.default_rng(3).integers(-2**31, 2**31, 5000).astype(np.int32)
    return jitted(lambda x: (x // 7, x % 13, jax.lax.population_count(x), jax.lax.clz(x), x >> 3, x.astype(jnp.uint32) >> 5, jax.lax.bitcast_convert_type(x, jnp.float32) > 0,
                             x.astype(jnp.int64) * x, x.astype(jnp.int8), jnp.where(x > 0, x, ~x)), x)


@case
def f64():
    return jitted(lambda x: (jnp.sin(x), jnp.exp(x), jnp.log(abs(x) + 1), x @ x.T, jnp.linalg.norm(x, axis=1), jax.scipy.special.gammaln(abs(x) + 1), x**3 / (x * x + 1)),
                  floats(60, 70, dtype=np.float64), off=1e-12)


@case
def complex_numbers():
    x = (floats(40, 50) + 1j * floats(40, 50, seed=2)).astype(np.complex64)
    return jitted(lambda x: (x * x, jnp.exp(x), abs(x), jnp.conj(x).T @ x, jnp.sqrt(x)), x, off=5e-3)


@case
def random_numbers():
    """The generator of JAX is exact integer arithmetic."""
    if DRY:
        return jitted(lambda k: (jax.random.bits(k, (1000,)), jax.random.normal(k, (1000,)), jax.random.permutation(k, 100)), np.array([0, 5], np.uint32))
    results = []
    for device in (jax.devices("gpu")[0], jax.devices("cpu")[0]):
        with jax.default_device(device):
            key = jax.random.key(5)
            results.append([np.asarray(v) for v in (jax.random.bits(key, (1000,)), jax.random.normal(key, (1000,), jnp.float32), jax.random.permutation(key, 100),
                                                    jax.random.gamma(key, 2.0, (500,), jnp.float32), jax.random.categorical(key, jnp.zeros(9), shape=(99,)))])
    return Outcome(*results, 1e-4)


@case
@timed
def network(big):
    """The gradient of a small network, and a step of Adam."""
    sizes = (1024, 4096, 1024) if big else (64, 128, 10)
    batch = 4096 if big else 32

    def loss(w1, b1, w2, b2, x, y):
        logits = jax.nn.gelu(x @ w1 + b1) @ w2 + b2
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))

    def step(w1, b1, w2, b2, x, y):
        value, grads = jax.value_and_grad(loss, argnums=(0, 1, 2, 3))(w1, b1, w2, b2, x, y)
        return value, [p - 0.01 * g / (jnp.sqrt(g * g) + 1e-3) for p, g in zip((w1, b1, w2, b2), grads)]

    a, b, c = sizes
    return jitted(step, floats(a, b) * 0.05, floats(b, seed=2) * 0.05, floats(b, c, seed=3) * 0.05, floats(c, seed=4) * 0.05, floats(batch, a, seed=5),
                  np.arange(batch) % c, off=2e-2)


@case
@timed
def attention(big):
    b, n, h, d = (4, 2048, 16, 64) if big else (2, 64, 4, 32)

    def go(q, k, v):
        scores = jnp.einsum("bnhd,bmhd->bhnm", q, k) / d**0.5
        scores = jnp.where(jnp.tril(jnp.ones((q.shape[1], q.shape[1]), bool)), scores, -jnp.inf)
        return jnp.einsum("bhnm,bmhd->bnhd", jax.nn.softmax(scores, -1), v)

    if big:
        q = np.repeat(floats(1, n, h, d), b, 0)
        return jitted(go, q, q, q, want=[], off=1) if DRY else big_attention(go, q)
    return jitted(lambda q, k, v: (go(q, k, v), jax.grad(lambda *w: (go(*w) ** 2).mean(), argnums=(0, 1, 2))(q, k, v)), *(floats(b, n, h, d, seed=s) for s in (1, 2, 3)), off=5e-3)


def big_attention(go, q):
    given = jax.device_put(q, jax.devices("gpu")[0])
    compiled = jax.jit(go)
    return Outcome(np.asarray(compiled(given, given, given))[:1, :4], None, measure=lambda: jax.block_until_ready(compiled(given, given, given)))


def median(function):
    import time

    times = []
    for _ in range(33):
        start = time.perf_counter()
        function()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times[3:])[15]


if __name__ == "__main__":
    common.main(median=median, dry=lambda: None)
