"""Main memory, as a lesson has it: an object that holds tensors, and moves tiles of them."""

from __future__ import annotations

from typing import Any

import torch

from . import read

HELD = {torch.Tensor, torch.nn.Parameter}


def look_into(memory: Any, name: str) -> None:
    """Raises TypeError if main memory holds anything but tensors, which could do more than move when it is loaded, or
    complex numbers, each of which is two. name: that of its class.
    """
    held = getattr(memory, "tensors", None)
    tensors = list(dict.values(held)) if isinstance(held, dict) else []
    if not HELD.issuperset(map(type, tensors)):
        kind = min(kind.__name__ for kind in {*map(type, tensors)} - HELD)
        raise TypeError(f"{name} holds tensors, and was given an object of type {kind}")
    if any(map(read.is_complex, tensors)):
        raise TypeError(f"{name} holds real numbers, and was given complex ones")


def memory_in(memory: Any) -> set[int]:
    """The memory of the tensors in main memory which has been looked into."""
    held = getattr(memory, "tensors", None)
    return set(map(read.memory_of, dict.values(held))) if isinstance(held, dict) else set()
