"""Which operators of torch take exponentials, and of which numbers."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from .names import base_name, of_operator

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
