import os
from collections.abc import Buffer, Iterable, Sequence
from typing import Any, Literal, Protocol, SupportsBytes

__version__: str

class Diagnostic:
    severity: Literal["info", "warning", "error"]
    code: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    function: str | None
    notes: list[str]

class Kernel:
    name: str
    registers: int
    shared_bytes: int
    stack_bytes: int | None
    spill_bytes: tuple[int, int] | None

class Cubin:
    arch: str
    kernels: list[Kernel]
    diagnostics: list[Diagnostic]
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...

class Error(Exception):
    kind: Literal["input", "usage", "unsupported", "internal", "cancelled"]
    diagnostics: list[Diagnostic]

class RunError(Exception):
    message: str
    place: str | None
    thread: str | None

def architectures() -> list[str]: ...
def compile(
    ptx: str | Buffer,
    *,
    arch: str | None = None,
    opt_level: int = 3,
    relocatable: bool = False,
    fma: bool = True,
    max_registers: int | None = None,
    line_info: bool = False,
    debug: bool = False,
    kernels: Iterable[str] = (),
    name: str | None = None,
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Cubin: ...
def check(ptx: str | Buffer, *, arch: str | None = None, name: str | None = None) -> list[Diagnostic]: ...
def link(
    inputs: Iterable[str | SupportsBytes | tuple[str, str | SupportsBytes]],
    *,
    arch: str,
    opt_level: int = 3,
    fma: bool = True,
    max_registers: int | None = None,
    line_info: bool = False,
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
) -> Cubin: ...
def parameter_sizes(cubin: SupportsBytes, kernel: str) -> list[int] | None: ...
def f32(value: float) -> Any: ...
def f64(value: float) -> Any: ...
def run(
    cubin: SupportsBytes,
    kernel: str,
    grid: int | Sequence[int] = 1,
    block: int | Sequence[int] = 1,
    args: Sequence[Any] = (),
    *,
    shared_bytes: int = 0,
    seed: int = 0,
    races: Literal["error", "warn"] = "error",
) -> list[str]: ...
