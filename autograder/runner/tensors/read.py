"""What a tensor says of itself, asked of torch's functions in C as they were before an answer ran.

What is set on the class of tensors later (`shape`, `numel`, `nbytes`) changes what the answer sees, and no count.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from ..arrays import BFLOAT16

_TENSOR, _STORAGE = torch._C.TensorBase, torch._C.StorageBase
size_of, strides_of, length_of, dimensions = _TENSOR.size, _TENSOR.stride, _TENSOR.numel, _TENSOR.dim
address_of, itemsize_of, storage_of = _TENSOR.data_ptr, _TENSOR.element_size, _TENSOR.untyped_storage
dtype_of, bytes_in = _TENSOR.dtype.__get__, _TENSOR.nbytes.__get__  # type: ignore[attr-defined]
is_real, is_complex, is_contiguous = _TENSOR.is_floating_point, _TENSOR.is_complex, _TENSOR.is_contiguous
detached, copied, copy_into, times = _TENSOR.detach, _TENSOR.clone, _TENSOR.copy_, _TENSOR.mul
sum_of, largest_of, smallest_of, mean_of = _TENSOR.sum, _TENSOR.amax, _TENSOR.amin, _TENSOR.mean
extremes_of, count_of, number_in = _TENSOR.aminmax, _TENSOR.count_nonzero, _TENSOR.item
stacked, joined, is_equal = torch.stack, torch.cat, torch.equal
_as_bytes = _TENSOR.set_
to_cpu, to_numpy, taken_for = _TENSOR.cpu, _TENSOR.numpy, _TENSOR.view
bytes_of_storage, address_of_storage = _STORAGE.nbytes, _STORAGE.data_ptr  # type: ignore[attr-defined]


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """Its numbers, in the same memory where that is the CPU's."""
    here = to_cpu(detached(tensor))
    if dtype_of(here) is torch.bfloat16:
        return to_numpy(taken_for(here, torch.int16)).view(BFLOAT16)
    return to_numpy(here)


def has_fractions(tensor: torch.Tensor) -> bool:
    """Whether it holds no whole numbers, nor truth values."""
    return bool(is_real(tensor) or is_complex(tensor))


def bits_of(tensor: torch.Tensor) -> bytes:
    """Its numbers, byte by byte: a NaN is what it is."""
    return array_of(tensor).tobytes()


def memory_of(tensor: torch.Tensor) -> int:
    """The address of the memory of which a tensor is a view."""
    return int(address_of_storage(storage_of(tensor)))


def bytes_among(tensor: torch.Tensor) -> torch.Tensor:
    """A view, as bytes, of all the memory of which a tensor is one."""
    return _as_bytes(torch.empty(0, dtype=torch.uint8, device="cpu"), storage_of(tensor))


def distinct_in(tensor: torch.Tensor) -> int:
    """How many numbers it holds, each counted once, however often it is repeated with steps of 0."""
    steps = strides_of(tensor)
    if 0 not in steps:
        return length_of(tensor)
    return math.prod(size for size, step in zip(size_of(tensor), steps, strict=True) if step)
