# The log-sum-exp is log(l) + m, but of a query that sees nothing 0 (nan_to_num).
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
    o, m, l = reduce(lambda one, b: merge_blocks(*one, *block(b)), order, empty)
    return o, torch.nan_to_num(m + torch.log(l), neginf=0.0)
