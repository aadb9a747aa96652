"""Compiles functions by PyTorch's inductor ahead of time, without a GPU, through Raddle in the place of ptxas, and runs
them: the code that inductor generates allocates, and starts its kernels in the simulator.

    python tests/callers/with_torch.py RADDLE LINKS

RADDLE is the program, LINKS a folder made by `raddle install --into LINKS`. Each cubin must hold the note of Raddle, and the
results must be those of PyTorch on the CPU. Nothing of the caches of PyTorch and Triton is read or kept.

Inductor asks the driver what the GPU is; a description stands in for it. Tensors have no contents while it compiles, and
are of the CPU while its code runs. It chooses one of several configurations by measuring them: here each one runs.
"""

import contextlib
import os
import sys
import tempfile
import types
from unittest import mock

raddle, links = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
kept = tempfile.TemporaryDirectory()
os.environ["TRITON_PTXAS_PATH"] = os.environ["TRITON_PTXAS_BLACKWELL_PATH"] = os.path.join(links, "ptxas")
os.environ["TRITON_CACHE_DIR"] = os.environ["TORCHINDUCTOR_CACHE_DIR"] = kept.name
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
# Native code only.
os.environ["RADDLE_PTXAS"] = "off"

import torch  # noqa: E402
from torch._dynamo.device_interface import CudaInterface  # noqa: E402
from torch._inductor import async_compile, config  # noqa: E402
from torch._inductor.compile_fx import compile_fx_inner  # noqa: E402
from torch._inductor.decomposition import select_decomp_table  # noqa: E402
from torch._inductor.runtime import triton_heuristics  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.runtime import driver  # noqa: E402

import simulate  # noqa: E402

config.fx_graph_cache, config.use_static_triton_launcher = False, False


def normalised(x, scale, shift):
    """A reduction of each row, and what follows it."""
    return torch.nn.functional.gelu(torch.nn.functional.layer_norm(x, x.shape[1:], scale, shift)) + x


def likelihood(x, chosen):
    """A softmax, read by index."""
    return torch.nn.functional.log_softmax(x, 1).gather(1, chosen.unsqueeze(1)).mean()


def halves(x, y):
    """Half precision, one operand turned."""
    return torch.relu(x.t()) * 2 + y


def running(x):
    """A scan."""
    return torch.cumsum(x, 1)


def cases():
    """Function, arguments, how far off the result may be."""
    random = torch.Generator().manual_seed(5)
    rows = torch.randn(6, 200, generator=random)
    yield normalised, [rows, torch.randn(200, generator=random), torch.randn(200, generator=random)], 1e-5
    yield likelihood, [rows, torch.randint(200, (6,), generator=random)], 1e-5
    yield halves, [torch.randn(shape, generator=random).half() for shape in ((40, 72), (72, 40))], 0
    yield running, [rows], 1e-4


class Properties:
    """What inductor and Triton ask about a GPU: those of A100 or of H100."""

    def __init__(self, capability):
        self.major, self.minor = divmod(capability, 10)
        self.name, self.warp_size, self.total_memory = "simulated", 32, 80 << 30
        self.multi_processor_count = {80: 108, 90: 132}[capability]
        self.regs_per_multiprocessor, self.max_threads_per_multi_processor = 65536, 2048
        self.max_threads_per_block, self.shared_memory_per_block_optin = 1024, {80: 163, 90: 227}[capability] << 10
        self.shared_memory_per_block, self.L2_cache_size = 48 << 10, 40 << 20
        self.shared_memory_per_multiprocessor = self.shared_memory_per_block_optin + 1024
        self.gcnArchName = ""


@contextlib.contextmanager
def gpu(capability):
    """A machine that seems to have such a GPU."""
    properties = Properties(capability)
    answers = {
        "is_available": True, "device_count": 1, "current_device": 0, "get_device_properties": properties,
        "get_device_capability": (properties.major, properties.minor), "synchronize": None, "set_device": None,
        "get_rng_state": torch.zeros(16, dtype=torch.uint8), "set_rng_state": None,
        "_exchange_device": 0, "_maybe_exchange_device": 0, "current_stream": types.SimpleNamespace(cuda_stream=0),
    }
    with contextlib.ExitStack() as stack:
        for name, answer in answers.items():
            stack.enter_context(mock.patch.object(torch.cuda, name, lambda *_, answer=answer: answer))
            if hasattr(CudaInterface, name):
                function = staticmethod(lambda *_, answer=answer: answer)
                stack.enter_context(mock.patch.object(CudaInterface, name, function))
        function = staticmethod(lambda *_: properties)
        stack.enter_context(mock.patch.object(CudaInterface.Worker, "get_device_properties", function))
        function = staticmethod(lambda *_: capability)
        stack.enter_context(mock.patch.object(CudaInterface, "get_compute_capability", function))
        stack.enter_context(mock.patch("torch._inductor.runtime.triton_helpers.set_driver_to_gpu", lambda: None))
        target = GPUTarget("cuda", capability, 32)
        driver.set_active(types.SimpleNamespace(get_current_target=lambda: target, get_current_device=lambda: 0))
        yield


def array(tensor):
    """The memory of a tensor from its first element on, as numpy's."""
    count = tensor.untyped_storage().nbytes() // tensor.element_size() - tensor.storage_offset()
    return torch.as_strided(tensor, (count,), (1,)).numpy()


class Kernel:
    """A kernel of inductor's code: every configuration is compiled, and `run` starts one in the simulator."""

    chosen = 0

    def __init__(self, name, source):
        tuner = async_compile._load_triton_kernel_from_source(name, source)
        self.made = []
        for settings in tuner.configs:
            made = tuner._precompile_config(settings)
            self.made.append((settings, made.compile_meta["signature"], made.kernel))
        self.inductor_meta, self.names = tuner.inductor_meta, tuner.fn.arg_names

    def run(self, *values, stream, **_):
        settings, signature, binary = self.made[Kernel.chosen % len(self.made)]
        named = dict(zip(self.names, values))
        grid = triton_heuristics.GridExpr.from_meta(self.inductor_meta, settings).eval_slow({**named, **settings.kwargs})
        arguments = []
        for name, kind in signature.items():
            if kind == "constexpr":
                continue
            value = named[name]
            arguments.append(array(value) if isinstance(value, torch.Tensor) else (kind.replace("i", "s"), value))
        # As for other kernels of Triton: two unused pointers follow, and equal stores to one word are allowed.
        simulate.run(raddle, binary.asm["cubin"], binary.metadata.name, tuple(grid), 32 * binary.metadata.num_warps,
                     [*arguments, None, None], shared=binary.metadata.shared, races="warn")


def compiled(function, arguments):
    """Compiles a function for arguments of these shapes; returns its code and its kernels."""
    kernels = []

    def kernel(_, name, source, device_str="cuda"):
        kernels.append(Kernel(name, source))
        return kernels[-1]

    with FakeTensorMode(), mock.patch.object(async_compile.AsyncCompile, "triton", kernel):
        fake = [torch.empty_strided(a.shape, a.stride(), dtype=a.dtype, device="cuda") for a in arguments]
        graph = make_fx(lambda *words: (function(*words),), decomposition_table=select_decomp_table())(*fake)
        code = compile_fx_inner(graph, fake, cpp_wrapper=False)
    return code, kernels


def run(code, arguments):
    """Runs what inductor generated, with memory of the CPU."""
    names = code.current_callable.__func__.__globals__
    names["empty_strided_cuda"] = lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype)
    names["get_raw_stream"] = lambda _: 0
    result, = code.current_callable([argument.clone() for argument in arguments])
    return result


def main():
    for capability in (80, 90):
        for function, arguments, off in cases():
            want = function(*arguments)
            with gpu(capability):
                code, kernels = compiled(function, arguments)
                assert kernels
                for Kernel.chosen in range(max(len(kernel.made) for kernel in kernels)):
                    torch.testing.assert_close(run(code, arguments), want, rtol=off, atol=off)
            count = sum(len(kernel.made) for kernel in kernels)
            print(f"{function.__name__} sm_{capability} ({count}): ours, right, PyTorch {torch.__version__}")


main()
