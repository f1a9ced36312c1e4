"""How much an operator of torch multiplies: the pairs of numbers of two tensors that it lets meet. And how many of one
tensor meet along an axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from . import read
from .names import base_name, name_of, of_operator, whole_name

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

# What takes each number by itself and only moves, adds, compares or rounds it. All else there is may multiply: by 2^0,
# by a slope of 1.
SIMPLE = (
    "abs add bitwise_and bitwise_not bitwise_or bitwise_xor ceil clamp clamp_max clamp_min clip clone conj_physical "
    "copy copysign eq equal fill floor fmax fmin frac ge gt hardtanh heaviside isfinite isinf isnan isneginf isposinf "
    "le logical_and logical_not logical_or logical_xor lt masked_fill max maximum min minimum nan_to_num ne neg "
    "nextafter positive relu relu6 round rsub sgn sign signbit sub threshold trunc where"
)
MOVED_OR_ADDED = {f"aten.{name}" for name in SIMPLE.split()}
ALONG_AN_AXIS = ("aten.prod", "aten.cumprod", "aten.var", "aten.std", "aten.var_mean", "aten.std_mean")
# What divides, takes powers or weighs along axes: over an axis of length 1 each number by itself.
WEIGHING = {
    *ALONG_AN_AXIS,
    *("aten.mean", "aten.logsumexp", "aten.logcumsumexp", "aten.norm", "aten.renorm", "aten._softmax"),
    *("aten._log_softmax", "aten._embedding_bag", "aten._embedding_bag_forward_only", "aten._weight_norm_interface"),
}
WEIGHING_KINDS = (
    *("aten.linalg_", "aten.native_", "aten.avg_pool", "aten._adaptive_avg_pool", "aten.upsample_"),
    *("aten.grid_sampler", "aten._fft_"),
)
JOINING = ("aten.cat", "aten.stack")
REDUCING = {
    *("aten.sum", "aten.nansum", "aten.mean", "aten.amax", "aten.amin", "aten.max", "aten.min", "aten.aminmax"),
    *("aten.logsumexp", "aten.prod", "aten.var", "aten.std", "aten.var_mean", "aten.linalg_vector_norm", "aten.norm"),
    *("aten.median", "aten.kthvalue", "aten.mode"),
}
# What adds, compares or orders numbers along an axis that it is told, or along all.
MEETING = {
    *REDUCING,
    *("aten.sort", "aten.argsort", "aten.topk", "aten.cumsum", "aten.cumprod", "aten.logcumsumexp", "aten.cummax"),
    *("aten.cummin", "aten._cummax_helper", "aten._cummin_helper", "aten.argmax", "aten.argmin", "aten.nanmedian"),
    *("aten.std_mean", "aten._softmax", "aten._log_softmax"),
}
# What does so each time that it is used, whatever it is told.
MEETING_KINDS = (
    *("aten.max_pool", "aten.avg_pool", "aten._adaptive", "aten.adaptive", "aten.unique", "aten._unique"),
    *("aten.scatter_add", "aten.scatter_reduce", "aten.index_add", "aten.index_reduce", "aten.trace"),
    *("aten._embedding_bag", "aten.segment_reduce", "aten.bincount"),
)
ADDING = {"aten.index_put", "aten._index_put_impl", "aten.put"}  # where they are told to accumulate
PAIR = 2  # of two tensors that are stacked each number meets its own
# What takes numbers of several tensors, not number by number, and only places, adds or compares them.
PLACING = {
    *JOINING,
    *("aten.copy", "aten._to_copy", "aten.fill", "aten.index_put", "aten._index_put_impl", "aten.put"),
    *("aten.scatter", "aten.scatter_add", "aten.index_add", "aten.index_copy", "aten.index_fill", "aten.masked_fill"),
    *("aten.masked_scatter", "aten.slice_scatter", "aten.select_scatter", "aten.diagonal_scatter"),
    *("aten.searchsorted", "aten.bucketize", "aten.isin", "aten.equal", "aten.set", "aten.resize_as", "aten.complex"),
}


@of_operator
def is_product(func: Any) -> bool:
    """Whether an operator multiplies numbers of one tensor by those of another."""
    name = base_name(func)
    return name in FACTORS or name in ("aten.mul", "aten.convolution", "aten._cdist_forward")


@of_operator
def takes_each(func: Any) -> bool:
    """Whether an operator multiplies or divides number by number, or takes a function of each."""
    name = base_name(func)
    return _is_pointwise(func) and name not in MOVED_OR_ADDED


def met_along(func: Any, args: Any, kwargs: dict[str, Any], width: int) -> int:
    """Numbers that an operator adds, compares or orders along an axis that is longer than two, and than the rows of the
    arguments, of which each has so many of its own; 0 of other operators.
    """
    kind = _lets_meet(func)
    if not kind:
        return 0
    x = next((one for one in args if isinstance(one, Tensor) and read.has_fractions(one)), None)
    if x is None or not read.dimensions(x):
        return 0
    if kind is MEETING and _length_along(func, args, kwargs, read.size_of(x)) <= max(PAIR, width):
        return 0
    return 0 if kind is ADDING and not _told(func, args, kwargs, "accumulate") else int(read.length_of(x))


@of_operator
def _lets_meet(func: Any) -> Any:
    """Which of MEETING, ADDING and MEETING_KINDS an operator belongs to; None if to none of them."""
    name = base_name(func)
    if name in MEETING:
        return MEETING
    if name in ADDING:
        return ADDING
    return MEETING_KINDS if name.startswith(MEETING_KINDS) else None


def _length_along(func: Any, args: Any, kwargs: dict[str, Any], sizes: Sequence[int]) -> int:
    """How many numbers meet each other along the axis, or axes, that an operator is told; all where it is told none."""
    axes = _told(func, args, kwargs, "dim")
    axes = [axes] if isinstance(axes, int) else axes
    return math.prod(sizes[axis] for axis in axes) if axes else math.prod(sizes)


def _told(func: Any, args: Any, kwargs: dict[str, Any], name: str) -> Any:
    """What an operator is given as the argument of that name, or takes where it is given none."""
    for place, argument in enumerate(func._schema.arguments):
        if argument.name == name:
            return args[place] if place < len(args) else kwargs.get(name, argument.default_value)
    return None


def multiplies_each(func: Any, args: Any, kwargs: dict[str, Any]) -> bool:
    """Whether an operator multiplies or divides number by number, along an axis too, or what it adds."""
    factor = args[2] if whole_name(func) == "aten.rsub.Scalar" and len(args) > 2 else kwargs.get("alpha", 1)
    return takes_each(func) or _weighs(func) or factor != 1


@of_operator
def _weighs(func: Any) -> bool:
    return base_name(func) in WEIGHING or base_name(func).startswith(WEIGHING_KINDS)


def addend_of(func: Any, args: Any) -> Any:
    """What a matrix product is added to; None if it is added to nothing."""
    return args[0] if FACTORS.get(base_name(func)) == 1 else None


def product_of(func: Any, args: Any, out: Any, of_whole: bool = False) -> int:
    """Multiplications of a product, a convolution or distances, each with its addition, or of a product of numbers
    along an axis; of what lets the numbers of two tensors meet otherwise, how many those are. 0 of other operators.
    Complex numbers take four for one.

    of_whole: whether whole numbers among those that it is given stand for others.
    """
    is_complex = isinstance(out, Tensor) and read.is_complex(out)
    return _meetings(func, args, out, of_whole) * (4 if is_complex else 1)


def _meetings(func: Any, args: Any, out: Any, of_whole: bool) -> int:
    """Those of `product_of`, of whatever numbers."""
    name = base_name(func)  # with out= and in place, too
    if name == "aten.convolution":
        return int(read.length_of(out) * math.prod(read.size_of(args[1])[1:]))
    if name == "aten._cdist_forward":
        return int(read.length_of(out) * read.size_of(args[0], -1))
    if name in ALONG_AN_AXIS:  # of the factors there, or of the differences that are squared
        return int(read.length_of(args[0]))
    if name in FACTORS:
        a, b = args[FACTORS[name]], args[FACTORS[name] + 1]
        if name == "aten.addr":
            return int(read.length_of(a) * read.length_of(b))
        return int(read.length_of(a) * (read.size_of(b, -1) if read.dimensions(b) > 1 else 1))
    given = _tensors_in(args)
    return (_outer(func, given, out, of_whole) or _mixed(func, args, given, out)) if len(given) > 1 else 0


def meets_every_row(func: Any, x: Tensor, row: Tensor, out: Any) -> int:
    """Multiplications of a row by each row of another tensor, number by number: one row of a matrix product, of which
    the sums are left to be taken. 0 of other operators, and of tensors that meet otherwise.
    """
    if not takes_each(func) or not isinstance(out, Tensor) or read.length_of(out) != read.distinct_in(x):
        return 0
    axes, other = _axes(row), _axes(x)
    return int(read.length_of(out)) if axes & 1 and axes != other and not axes & ~other else 0


def product_of_a_head(func: Any, args: Any, out: Any, heads: int) -> int:
    """Multiplications of a matrix product, for each of so many heads: those of one of its matrices at least, for heads
    may come one by one. 0 of other operators, and of rows that are multiplied by one row each.
    """
    name = base_name(func)
    if name not in FACTORS or read.length_of(out) == math.prod(read.size_of(out)[:-2]):
        return 0
    multiplications = product_of(func, args, out)
    matrices = read.size_of(out, 0) if read.dimensions(out) > 2 else 1
    return max(multiplications // matrices, -(-multiplications // heads))


def _mixed(func: Any, args: Any, given: list[Tensor], out: Any) -> int:
    """Numbers of the largest tensor where an operator is given several of floating-point numbers, and is not known to
    place or to add them only.
    """
    if _only_places(func, args):
        return 0
    tensors = [x for x in given if read.is_real(x)]
    if len(tensors) < 2:
        return 0
    return max(int(read.length_of(x)) for x in (*tensors, *_tensors_in((out,))))


def _only_places(func: Any, args: Any) -> bool:
    if func.is_view or _is_pointwise(func):  # of which those of two whole tensors count where they are outer ones
        return True
    name, overload = base_name(func), whole_name(func).rpartition(".")[2]
    if name in ("aten.scatter_reduce", "aten.index_reduce"):
        return "prod" not in args
    return name in PLACING and "reduce" not in overload


def _outer(func: Any, tensors: list[Tensor], out: Any, of_whole: bool) -> int:
    """Numbers that an operator makes of two tensors, each of which is repeated along an axis of the other's: a product
    of each number with each, a difference that is squared, a sum of logarithms, or both beside each other.
    """
    if not (_is_pointwise(func) or name_of(func) in JOINING) or not isinstance(out, Tensor):
        return 0
    if not (read.is_real(out) or read.is_complex(out) or (of_whole and read.dtype_of(out) != torch.bool)):
        return 0
    size = read.length_of(out)
    repeated = [x for x in tensors if read.distinct_in(x) != size]  # the others have every axis
    if len(repeated) < 2:
        return 0
    pairs = combinations(map(_axes, repeated), 2)
    return int(size) if any(a & ~b and b & ~a for a, b in pairs) else 0


def _tensors_in(values: Iterable[Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors_in(value)
    return found


@of_operator
def _is_pointwise(func: Any) -> bool:
    return torch.Tag.pointwise in func.tags


def _axes(tensor: Tensor) -> int:
    """The axes along which a tensor has other numbers, a bit for each, the lowest that of the last: one that was
    expanded repeats its own.
    """
    axes = 0
    for n, step in zip(read.size_of(tensor), read.strides_of(tensor), strict=True):
        axes = axes << 1 | (n > 1 and step != 0)
    return axes
