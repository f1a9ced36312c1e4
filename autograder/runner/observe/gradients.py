"""Whether what a backward pass gives hangs on the gradient that autograd hands it, and not on one that it has kept."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from ..meters.idle import depends
from .call import Call

BEGINS = {torch.autograd.grad: "grad_outputs", torch.Tensor.backward: "gradient"}  # with which a backward pass begins


def are_for_show(call: Call, outputs: Sequence[np.ndarray]) -> bool:
    """Whether gradients, which are all outputs but the first, are nearly the same with half of what autograd hands on.

    One that raises depends on it.
    """
    again, function = None, call.anew()
    with _halving(), contextlib.suppress(Exception):
        again = call.again()(function)
    return again is not None and not depends(outputs[1:], again[1:])


@contextlib.contextmanager
def _halving() -> Iterator[None]:
    """Within this context backward passes begin with half of the gradients that they are given."""
    backward = torch.autograd.backward

    def of_halves(tensors: Any, grad_tensors: Any = None, *args: Any, **kwargs: Any) -> None:
        backward(tensors, _half(grad_tensors), *args, **kwargs)

    with _Halving():
        torch.autograd.backward = of_halves  # which a function mode does not see
        try:
            yield
        finally:
            torch.autograd.backward = backward


class _Halving(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if name := BEGINS.get(func):
            bound = inspect.signature(func).bind(*args, **(kwargs or {}))
            bound.arguments[name] = _half(bound.arguments.get(name))
            return func(*bound.args, **bound.kwargs)
        return func(*args, **(kwargs or {}))


def _half(gradients: Any) -> Any:
    """Half of a gradient, or of each of several; None of none."""
    if isinstance(gradients, Sequence):
        return tuple(map(_half, gradients))
    return None if gradients is None else gradients * 0.5
