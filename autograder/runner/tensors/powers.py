"""Which operators of torch take exponentials, and of which numbers; how many of these hang on the last keys.

Who goes through tiles of keys has taken the exponentials of all tiles before the last one is seen, each once. So where
a key of the last tile scores far above all others, the exponentials of that tile come out otherwise, with what rescales
what came before. Who measures all scores from the maximum of a whole row takes all of them anew.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from torch import Tensor

from . import read
from .names import base_name, of_operator
from .operators import Operators
from .unseen import calls_unseen

POWERS = {
    *("aten.exp", "aten.exp2", "aten.expm1", "aten.sinh", "aten.cosh", "aten.tanh", "aten.sigmoid"),
    *("aten.erf", "aten.erfc", "aten.softplus", "aten.log_sigmoid_forward", "aten.logaddexp", "aten.logaddexp2"),
    *("aten.elu", "aten.celu", "aten.gelu", "aten.glu", "aten.mish", "aten.silu"),
    *("aten._softmax", "aten._log_softmax", "aten._safe_softmax", "aten.logsumexp", "aten.logcumsumexp"),
}
OF_THE_SECOND = ("aten.pow", "aten.ldexp")


def exponents_of(func: Any, args: Any) -> list[Tensor]:
    """The tensors of which it takes exponentials; none of one that is squared, or raised to another number."""
    first = _first_of(func)
    return [] if first is None else [x for x in args[first:] if isinstance(x, Tensor)]


@of_operator
def _first_of(func: Any) -> int | None:
    """At which of its arguments those begin; None if it takes no exponentials."""
    name = base_name(func)
    return 0 if name in POWERS else 1 if name in OF_THE_SECOND else None


MOST = 8  # that a score may be which nothing lifts
ABOVE = 28  # what is added to one that is: all others are far from it then, and weigh what float32 can hold


def with_a_key_lifted(arguments: dict[str, Any], at: int | None) -> dict[str, Any]:
    """The same call without a mask and a scale of its own; the key with number `at`, if one is given, is the one that
    every query likes best, and in what tells so all others are alike.
    """
    q, k = arguments["q"].copy(), arguments["k"].copy()
    root = math.sqrt(q.shape[-1])
    k[..., 0] = 0
    q *= min(1, MOST * root / max(np.abs(q @ np.swapaxes(k, -1, -2)).max(), 1))
    q[..., 0] = root
    if at is not None:
        k[..., at, 0] = ABOVE
    without = {"causal": False, "scale": None}
    return arguments | {"q": q, "k": k} | {name: value for name, value in without.items() if name in arguments}


def in_whole_tiles(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call with fewer keys, where they are many: with a number of tiles that two and three divide, so that who
    takes so many at a time takes them at the end.
    """
    if "order" in arguments or "tile_n" not in arguments:
        return arguments
    n_k = arguments["k"].shape[-2]
    left = [n_k // several * several for several in (6 * arguments["tile_n"], 2 * arguments["tile_n"])]
    n = next(filter(None, left), n_k)
    return arguments | {name: arguments[name][..., :n, :].copy() for name in ("k", "v")}


def ends(arguments: dict[str, Any]) -> list[int]:
    """Keys of the tiles that may be visited last: the first, the last, and the last that every query of a tile at the
    end sees whole; of blocks the last key of each, in the order given and by their numbers.
    """
    n_q, n_k, tile_n = arguments["q"].shape[-2], arguments["k"].shape[-2], arguments.get("tile_n", 1)
    if order := arguments.get("order"):
        return [min((b + 1) * tile_n, n_k) - 1 for b in {order[0], order[-1], min(order), max(order)}]
    whole = (n_k - n_q + 1) // tile_n * tile_n
    return sorted({0, n_k - 1, *([whole - 1] if n_q <= arguments.get("tile_m", 0) and whole > 0 else [])})


def of_the_last_tile(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same call for the last tile of queries."""
    return arguments | {"q": arguments["q"][..., -arguments["tile_m"] :, :].copy()}


class Exponentials(Operators):
    """Context that holds in `values` all numbers that come out of exponentials."""

    def __init__(self) -> None:
        super().__init__()
        self._made: list[np.ndarray] = []

    def run(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        out = func(*args, **kwargs)
        if exponents_of(func, args) and isinstance(out, Tensor) and read.is_real(out):
            with calls_unseen():
                self._made.append(np.unique(read.array_of(out).astype(np.float64)))
        return out

    @property
    def values(self) -> np.ndarray:
        return np.unique(np.concatenate([np.zeros(0), *self._made]))
