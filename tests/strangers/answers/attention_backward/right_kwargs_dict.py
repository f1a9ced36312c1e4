# style: keyword dictionary, | union of dicts, tuple building
import torch
from torch import Tensor


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    options = {"causal": causal, "scale": scale} | {"tile_m": tile_m, "tile_n": tile_n}
    delta = row_delta(o, do)
    inputs = (q, k, v, do, L, delta)
    dq = query_gradients(*inputs, **options)
    return dq, *key_value_gradients(*inputs, **options)
