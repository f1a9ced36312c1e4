"""How much an operator of torch multiplies: the pairs of numbers of two tensors that it lets meet."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from . import read
from .names import name_of

# Matrix products and outer products, and which argument is the first factor.
FACTORS = {
    "aten.mm": 0,
    "aten.bmm": 0,
    "aten.mv": 0,
    "aten.dot": 0,
    "aten.vdot": 0,
    "aten.addmm": 1,
    "aten.addbmm": 1,
    "aten.baddbmm": 1,
    "aten.addmv": 1,
    "aten.addr": 1,
}


def is_product(func: Any) -> bool:
    """Whether an operator multiplies numbers of one tensor by those of another."""
    name = name_of(func).rstrip("_")
    return name in FACTORS or name in ("aten.mul", "aten.convolution", "aten._cdist_forward")


def product_of(func: Any, args: Any, out: Any) -> int:
    """Multiplications of a product, a convolution or distances, each with its addition, or of a product of numbers
    along an axis; 0 of other operators.
    """
    name = name_of(func).rstrip("_")  # with out= and in place, too
    if name == "aten.convolution":
        return int(read.length_of(out) * math.prod(read.size_of(args[1])[1:]))
    if name == "aten._cdist_forward":
        return int(read.length_of(out) * read.size_of(args[0], -1))
    if name in ("aten.prod", "aten.cumprod"):  # of the factors along an axis
        return int(read.length_of(args[0]))
    if name in FACTORS:
        a, b = args[FACTORS[name]], args[FACTORS[name] + 1]
        if name == "aten.addr":
            return int(read.length_of(a) * read.length_of(b))
        return int(read.length_of(a) * (read.size_of(b, -1) if read.dimensions(b) > 1 else 1))
    return _outer(func, args, out)


def _outer(func: Any, factors: Any, out: Any) -> int:
    """Numbers that an operator makes number by number of two tensors, each of which is repeated along an axis of the
    other's: a product of each number with each, a difference that is squared, or a sum of logarithms.
    """
    if not _is_pointwise(func) or not isinstance(out, Tensor):
        return 0
    if not read.is_real(out) and not read.is_complex(out):
        return 0
    tensors = [x for x in factors if isinstance(x, Tensor)]
    pairs = combinations(map(_axes, tensors), 2) if len(tensors) > 1 else ()  # they are asked for at every operator
    return int(read.length_of(out)) if any(a - b and b - a for a, b in pairs) else 0


@lru_cache(maxsize=4096)
def _is_pointwise(func: Any) -> bool:
    return torch.Tag.pointwise in func.tags


def _axes(tensor: Tensor) -> set[int]:
    """The axes along which a tensor has other numbers, counted from the last: one that was expanded repeats its own."""
    sizes, steps = read.size_of(tensor), read.strides_of(tensor)
    return {axis - len(sizes) for axis, (n, step) in enumerate(zip(sizes, steps)) if n > 1 and step}
