"""What a function returned, as plain numpy arrays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..arrays import MOST_AXES, MOST_ROOM, as_numpy, is_float, returned, room_of
from .engine import Engine

MOST_BYTES, MOST_THINGS = 64 << 20, 10_000  # of a call's results: many times what any call is asked for


def too_large(result: Any) -> str:
    """What is too large of a returned value, in a sentence; "" where nothing is. Asked before anything is copied."""
    items = returned(result)
    if len(items) > MOST_THINGS:
        return f"{len(items):,} arrays or numbers came back, many times what is expected"
    plain = list(filter(_is_plain, items))
    axes = max((item.ndim for item in plain), default=0)
    if axes > MOST_AXES:
        return f"an array of {axes} axes came back, many times what is expected"
    longest = max((max(item.shape) for item in plain if 0 in item.shape and room_of(item.shape) > MOST_ROOM), default=0)
    if longest:
        return f"an empty array with an axis of {longest:,} came back, many times what is expected"
    size = sum(map(_size_of, plain))
    return f"{size:,} bytes came back, many times what is expected" if size > MOST_BYTES else ""


def _size_of(item: Any) -> int:
    """How many bytes the numbers of an array or a tensor take as they are written one by one."""
    return item.nbytes if type(item) is np.ndarray else item.numel() * item.element_size()


def _is_plain(item: Any) -> bool:
    """Whether it is an array or a tensor, of these types exactly."""
    torch = sys.modules.get("torch")
    return type(item) is np.ndarray or (torch is not None and type(item) is torch.Tensor)


def to_arrays(result: Any, engine: Engine) -> tuple[list[np.ndarray] | None, str]:
    """The returned value as a list of plain numpy arrays, or a sentence that says why it cannot be one.

    Arrays, tensors and numbers are of exact types (no subclasses), so an object that lies about itself never reaches a
    comparison.
    """
    items = returned(result)
    arrays: list[np.ndarray] = []
    for i, item in enumerate(items):
        where = f"output {i + 1}" if len(items) > 1 else "the output"
        array = _plain_array(_of_tensor(item, engine) if engine.takes_tensors else item)
        if array is None:
            return None, f"{where} is of {_refused(item, engine)}"
        arrays.append(array)
    return arrays, ""


def _refused(item: Any, engine: Engine) -> str:
    """What is no plain array, and what is expected instead."""
    dtype = _dtype_of(item)
    if dtype and not any(kind in dtype for kind in ("float", "int", "bool")):
        return f"dtype {dtype}; expected floating-point or whole numbers"
    wanted = "a torch tensor" if engine.takes_tensors else "a numpy array or a number"
    return f"type {type(item).__name__[:100]}; expected {wanted}"


def _dtype_of(item: Any) -> str:
    """That of an array or a tensor; "" of anything else."""
    return str(item.dtype) if _is_plain(item) else ""


def _of_tensor(item: Any, engine: Engine) -> Any:
    """The numbers of a tensor that lies here, or on a GPU that the engine may use; anything else as it is."""
    import torch

    if type(item) is torch.Tensor and engine.may_use_gpu:
        item = item.cpu()
    if type(item) is torch.Tensor and item.device.type == "cpu" and item.layout == torch.strided:
        item = as_numpy(item.resolve_conj().resolve_neg())
    return item


def _plain_array(item: Any) -> np.ndarray | None:
    if type(item) is int:  # which has no end: one beyond 64 bits is wrong, and a number still
        item = max(-(2**63), min(item, 2**64 - 1))
    if isinstance(item, (np.floating, np.integer, np.bool_)) and type(item).__module__ == "numpy":
        item = np.asarray(item)
    if type(item) is np.ndarray and (item.dtype.kind in "iub" or is_float(item.dtype)):
        if item.dtype == np.longdouble:  # which no message carries
            item = item.astype(np.float64)
        return np.ascontiguousarray(item).reshape(item.shape)
    if type(item) in (int, float, bool):
        return np.asarray(item)
    return None
