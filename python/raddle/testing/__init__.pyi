from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

ARCHITECTURES: tuple[str, ...]

@dataclass(frozen=True)
class Launched:
    kernel: str
    cubin: bytes
    races: tuple[str, ...]

def launch(
    kernel: Any,
    grid: int | Sequence[int],
    *args: Any,
    arch: str,
    block: int | Sequence[int] | None = None,
    races: Literal["error", "warn"] | None = None,
    seed: int = 0,
    **more: Any,
) -> Launched: ...
def note(cubin: bytes) -> None: ...
