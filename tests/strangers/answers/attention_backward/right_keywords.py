# style: shared arguments packed once, own tile for delta
import torch
from torch import Tensor


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of attention: `row_delta`, `query_gradients` and `key_value_gradients`.

    q, o, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with
    strides of its own; d: 16, 32, 64 or 128. o and L, (B, H, N_q) float32 and contiguous, are
    what the forward pass gave.
    causal, scale, tile_m, tile_n: as in `key_value_gradients`.
    Returns dq, dk, dv in shape and dtype those of q, k, v. Memory: these, and delta.
    Traffic, products and programs: those of the three; `row_delta` may keep its own tile.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
    tensors = dict(q=q, k=k, v=v, do=do, L=L, delta=row_delta(o, do, **({"tile_m": tile_m} if tile_m else {})))
    options = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    keys_values = key_value_gradients(**tensors, **options)
    return query_gradients(**tensors, **options), *keys_values
