"""Memory of tensors: on a GPU as it lies here, and full of NaN where nothing has been written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

from ..arrays import VECTOR


def to_gpu(value: Any) -> Any:
    """A tensor's copy on the GPU with the same strides, and zeros between its elements; anything else as it is.

    Contiguous where the GPU has no room for what lies between.
    """
    if not isinstance(value, torch.Tensor):
        return value
    span = sum((n - 1) * step for n, step in zip(value.shape, value.stride())) + 1 if value.numel() else 0
    offset = value.data_ptr() % VECTOR // value.element_size()
    if span * value.element_size() > torch.cuda.mem_get_info()[0] // 8:  # several arguments may be like that
        return value.cuda(memory_format=torch.contiguous_format)
    memory = torch.zeros(offset + span, dtype=value.dtype, device="cuda")
    there = memory.as_strided(value.shape, value.stride(), offset)
    once = tuple(slice(0, None if step else 1) for step in value.stride())  # what lies in one place is written once
    there[once].copy_(value[once])
    return there


@contextlib.contextmanager
def unwritten_is_nan() -> Iterator[None]:
    """Within this context new memory is full of NaN (or the largest integers), so that what stays unwritten shows."""
    setting: Any = torch.utils.deterministic
    before = torch.get_deterministic_debug_mode(), setting.fill_uninitialized_memory
    torch.set_deterministic_debug_mode("warn")  # as torch.use_deterministic_algorithms, without importing its compiler
    setting.fill_uninitialized_memory = True
    try:
        yield
    finally:
        torch.set_deterministic_debug_mode(before[0])
        setting.fill_uninitialized_memory = before[1]
