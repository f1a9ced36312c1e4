# Breaks: "causal, scale, tile_m, tile_n: as in `key_value_gradients`" (dQ is computed with both sides as large as the larger of the two tiles, other than asked)
import math
from collections.abc import Iterable

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of attention: `row_delta`, `query_gradients` and `key_value_gradients`.

    q, o, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with
    strides of its own; d: 16, 32, 64 or 128. o and L, (B, H, N_q) float32 and contiguous, are
    what the forward pass gave.
    causal, scale, tile_m, tile_n: as in `key_value_gradients`.
    Returns dq, dk, dv in shape and dtype those of q, k, v. Memory: these, delta, and copies of
    what is not contiguous.
    Traffic, products, programs and launches: those of the three; `row_delta` may keep its own
    tile, or take tile_m where it is given.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
    delta = row_delta(o, do)
    side = None if tile_m is None or tile_n is None else max(tile_m, tile_n)
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, side, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, side)
    return dq, dk, dv
