# Breaks: "divided once, at the end" (acc is kept normalised after every tile by a running log-sum-exp, as powers; it is never divided, and each tile takes a logarithm more)
import math
from collections.abc import Iterable

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Attention from tiles of tile_m queries and tile_n keys, divided once, at the end.

    q: (H, N_q, d), k: (H, N_k, d), v: (H, N_k, d_v) float32.
    Returns o (H, N_q, d_v), same dtype.
    Tiles are of consecutive rows; the last of either side is what is left. causal, scale: as in
    `naive_attention`.
    Memory: the output and a few numbers for each entry of one tile,
    O(H (N_q d_v + tile_m (tile_n + d_v)) + N_k); no mask is larger either. Torch runs at most
    60 operations for each pair of tiles of all heads, plus 60 for each tile of queries. Each
    score is computed once.

    For each tile of queries, over tiles of keys with scores S (H, tile_m, tile_n) and values
    V (H, tile_n, d_v), from acc = 0, m = -inf, l = 0:

        m' = max(m, rowmax S)        a = exp(m - m')        P = exp(S - m')
        acc = a acc + P V            l = a l + rowsum P

    and at the end o = acc / l, or 0 where l = 0. Rabe and Staats (2021).
    Forbidden: softmax, logsumexp, logaddexp, scaled_dot_product. It stays within torch and
    Python, without tolist of floating-point numbers. Arguments stay as they are, and
    results are new memory.
    """
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        L = q.new_full(q_tile.shape[:2], -torch.inf)
        acc = q.new_zeros(q.shape[0], q_tile.shape[1], v.shape[-1])
        for j in range(0, n_k, tile_n):
            if causal and j > i + q_tile.shape[1] - 1 + n_k - n_q:
                break
            k_tile, v_tile = k[:, j : j + tile_n], v[:, j : j + tile_n]
            s = scale * (q_tile @ k_tile.mT)
            if causal:
                rows = torch.arange(i, i + q_tile.shape[1])[:, None]
                keys = torch.arange(j, j + k_tile.shape[1])
                s = s.masked_fill(keys > rows + n_k - n_q, -torch.inf)
            m = torch.maximum(L, s.amax(dim=-1))
            m = torch.where(m == -torch.inf, 0.0, m)
            total = torch.exp(L - m) + torch.exp(s - m[..., None]).sum(dim=-1)
            L_new = m + torch.log(total)
            shift = torch.where(L_new == -torch.inf, 0.0, L_new)
            acc = torch.exp(L - shift)[..., None] * acc + torch.exp(s - shift[..., None]) @ v_tile
            L = L_new
        o[:, i : i + tile_m] = acc
    return o
