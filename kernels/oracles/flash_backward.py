"""The oracles of `flash_backward`."""

from torch import Tensor

from kernels import reference
from kernels.oracles.attention_gradients import one_number_a_query, through_attention


def forward_and_backward(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False, scale: float | None = None, **tiles: int | None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """O = softmax(S) V and dQ, dK, dV."""
    o, L = reference.attention(q, k, v, causal, scale)
    return o, *through_attention(q, k, v, do, L, one_number_a_query(o, do), causal, scale)
