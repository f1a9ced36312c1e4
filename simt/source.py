"""Where a kernel's text comes from: the course's kernels/cuda/NAME.cu, or what stands in for it for a while."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

INCLUDE = Path(__file__).parent / "include"
COURSE = Path(__file__).parent.parent / "kernels" / "cuda"

_instead: dict[str, str] = {}


@dataclass(frozen=True)
class Source:
    """The text of NAME.cu, whose kernel is `extern "C" __global__ void NAME(...)`, and the macros defined for it."""

    name: str
    text: str
    defines: tuple[tuple[str, int], ...] = ()


def source(name: str, defines: dict[str, int]) -> Source:
    """The kernel of that name as it is to be compiled. Raises FileNotFoundError if the course has none."""
    text = _instead.get(name)
    if text is None:
        path = COURSE / f"{name}.cu"
        text = _text(path, path.stat().st_mtime_ns)
    return Source(name, text, tuple(defines.items()))


@lru_cache(maxsize=256)
def _text(path: Path, changed: int) -> str:
    return path.read_text()


def define(name: str, text: str) -> None:
    """From now on `text` is the kernel of that name."""
    _instead[name] = text


@contextlib.contextmanager
def using(name: str, text: str) -> Iterator[None]:
    """Within it `text` is the kernel of that name."""
    before = _instead.get(name)
    _instead[name] = text
    try:
        yield
    finally:
        if before is None:
            del _instead[name]
        else:
            _instead[name] = before
