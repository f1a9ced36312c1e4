"""The plain error B: how far the oracle's formula, written plainly in the inputs' dtype, strays from the fp64 truth.

One run would be a matter of luck: on a row of four numbers it may happen to be exact, and then no other right answer
could pass. So the formula runs several times, with every arithmetic result moved by up to one unit in the last place
at random (Monte Carlo arithmetic: Parker 1997, UCLA CSD-970002), and with its sums taken both in torch's way and one
term after another, as an online algorithm has to. B is the largest error seen.

Half of the runs take their inputs up to one unit off as well: mathematics that rounds a large score once more is right,
such as exp2(x * log2(e) - m) and exp(x - L) at scores of 200.

Of 16-bit inputs the arithmetic is that of the course's kernels, and of tensor cores: the operands of matrix products
have 16 bits, everything else has 32. An answer that sums in 16 bits errs by more.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from ..runner.arrays import Stream, items_of
from ..runner.tensors.names import name_of
from ..spec.exercise import Arguments

ARITHMETIC = [
    "exp", "exp2", "log", "log2", "div", "mul", "add", "sub", "sum", "mm", "bmm", "pow", "reciprocal", "sqrt",
]  # fmt: skip
SHAKEN = {f"aten.{name}{in_place}" for name in ARITHMETIC for in_place in ("", "_")}
PRODUCTS = {torch.matmul, Tensor.matmul, Tensor.__matmul__}
SUMS = {torch.sum, Tensor.sum}


class OneAfterAnother(TorchFunctionMode):
    """Within this context, sum(dim=...) and matrix products add their terms one after another.

    The order varies: run 0 takes them in the given order, run 1 from the end, run 2 in a random order, and so on.
    """

    def __init__(self, run: int):
        super().__init__()
        self.run, self.rng = run, np.random.default_rng(run)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in SUMS and (len(args) > 1 or "dim" in kwargs) and args[0].is_floating_point():
            return self._sum(*args, **kwargs)
        if func in PRODUCTS and args[0].ndim > 1 and args[1].ndim > 1:
            return self._matmul(*args)
        return func(*args, **kwargs)

    def _sum(self, x: Tensor, dim: int, keepdim: bool = False) -> Tensor:
        terms = np.moveaxis(x.numpy(), dim, 0)[self._order(x.shape[dim])]
        total = torch.from_numpy(np.add.accumulate(terms, axis=0)[-1:])
        return total.movedim(0, dim) if keepdim else total[0]

    def _matmul(self, a: Tensor, b: Tensor) -> Tensor:
        x, y = a.numpy(), b.numpy()
        total = np.zeros((*np.broadcast_shapes(x.shape[:-2], y.shape[:-2]), x.shape[-2], y.shape[-1]), x.dtype)
        for k in self._order(x.shape[-1]):
            total += x[..., :, k, None] * y[..., k, None, :]
        return torch.from_numpy(total)

    def _order(self, n: int) -> np.ndarray:
        return [np.arange(n), np.arange(n)[::-1], self.rng.permutation(n)][self.run % 3]


class NarrowOperands(TorchFunctionMode):
    """Within this context the operands of matrix products are rounded to a 16-bit dtype; the products stay wide.

    Probabilities may be rounded before or after they are divided by their sum, which comes to other numbers: so what
    the dtype cannot hold is rounded at a random scale.
    """

    def __init__(self, dtype: torch.dtype, run: int):
        super().__init__()
        self.dtype, self.rng = dtype, np.random.default_rng(run)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in PRODUCTS:
            args = (self._narrow(args[0]), self._narrow(args[1]), *args[2:])
        return func(*args, **(kwargs or {}))

    def _narrow(self, x: Tensor) -> Tensor:
        rounded = x.to(self.dtype).to(x.dtype)
        if torch.equal(rounded, x):
            return x
        scale = float(self.rng.uniform(0.5, 1.0))
        return (x * scale).to(self.dtype).to(x.dtype) / scale


class Shaken(TorchDispatchMode):
    """Within this context, the result of every arithmetic operation is off by -1, 0 or 1 unit in the last place."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # as in runner/tensors/operators.py: torch's compiler takes a second to import

    def __init__(self, seed: int):
        super().__init__()  # type: ignore[no-untyped-call]  # of torch
        self.generator = torch.Generator().manual_seed(seed)
        self.moved = False  # whether there was anything to perturb

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if name_of(func) not in SHAKEN or not isinstance(out, Tensor) or not out.is_floating_point():
            return out
        self.moved = True
        return one_unit_off(out, self.generator)


def plain_runs(
    oracle: Callable[[Arguments], Any],
    given: Arguments,
    runs: int,
    narrow: torch.dtype | None = None,
    size: float = math.inf,
) -> list[Any]:
    """The oracle's results in `runs` runs with each way of summing. The same on every call.

    given: its arguments as tensors. narrow: the 16-bit dtype of the operands of matrix products, where those tensors
    are wider. size: `Tolerance.known_like`. An oracle that only moves numbers around runs once.
    """
    results = []
    for run in range(runs):
        operands = NarrowOperands(narrow, run) if narrow else contextlib.nullcontext()
        with operands, Shaken(run) as shaken:
            results.append(oracle(given))
        if not shaken.moved:
            break
        generator = torch.Generator().manual_seed(run)
        # an input of 16 bits that is off by a unit of 32 would be rounded again, as an operand
        is_known = bool(narrow) or not size
        moved = given if is_known else {name: _moved(value, generator, size) for name, value in given.items()}
        with OneAfterAnother(run), operands, Shaken(runs + run):
            results.append(oracle(moved))
    return results


def _moved(value: Any, generator: torch.Generator, size: float) -> Any:
    """The value with every floating-point number off by -1, 0 or 1 unit in the last place, of `size` at most."""
    if isinstance(value, Tensor):
        return one_unit_off(value, generator, size) if value.is_floating_point() else value
    if isinstance(value, Stream):
        items = items_of(value)
        if items and isinstance(items[0], Tensor) and all(item.shape == items[0].shape for item in items):
            return Stream(_moved(torch.stack(list(items)), generator, size).unbind())
        return Stream([_moved(item, generator, size) for item in items])
    if isinstance(value, (list, tuple)):
        return type(value)(_moved(item, generator, size) for item in value)
    return value


def one_unit_off(x: Tensor, generator: torch.Generator, size: float = math.inf) -> Tensor:
    """x with each element off by -1, 0 or 1 unit in the last place, of a number of `size` where it is larger."""
    units = torch.randint(-1, 2, x.shape, generator=generator, dtype=x.dtype).mul_(torch.finfo(x.dtype).eps)
    beyond = x + size * units if size < math.inf else None
    moved = units.add_(1).mul_(x)  # in place: of large tensors the memory takes longer than the arithmetic
    return moved if beyond is None else torch.where(x.abs() > size, beyond, moved)
