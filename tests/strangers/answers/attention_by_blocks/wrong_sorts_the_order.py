# Sorts the list in place before it walks over it: the caller's list is changed.
import torch
from torch import Tensor


from functools import reduce


def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    last = torch.arange(n_q)[:, None] + n_k - n_q

    def block(b):
        keys = slice(b * tile_n, min((b + 1) * tile_n, n_k))
        mask = torch.arange(keys.start, keys.stop) <= last if causal else None
        return attention_block(q, k[keys], v[keys], mask, scale)

    empty = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    order.sort()
    o, m, l = reduce(lambda one, b: merge_blocks(*one, *block(b)), order, empty)
    return o, m + torch.log(l)
