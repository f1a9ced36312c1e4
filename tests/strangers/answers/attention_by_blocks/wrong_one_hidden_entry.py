# Masks a tile only where its last key but one is hidden from the first query: a tile with one hidden entry stays unmasked.
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        mask = torch.arange(start, stop) <= last_seen if causal and stop - 2 > n_k - n_q else None
        block = attention_block(q, k[start:stop], v[start:stop], mask, scale)
        o, m, l = merge_blocks(o, m, l, *block)
    return o, m + torch.log(l)
