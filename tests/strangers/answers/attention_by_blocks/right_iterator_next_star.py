# Right: lazily mapped generator of blocks, next() for the first one and star-unpacking for the merges
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
    """Attention of one head, one block of keys at a time, the blocks visited in any order."""
    n_q, n_k = len(q), len(k)

    def block(b: int) -> tuple[Tensor, Tensor, Tensor]:
        begin, end = b * tile_n, min((b + 1) * tile_n, n_k)
        mask = None
        if causal:
            mask = torch.arange(begin, end)[None] <= torch.arange(n_k - n_q, n_k)[:, None]
        return attention_block(q, k[begin:end], v[begin:end], mask, scale)

    visited = (block(b) for b in order)
    state = next(visited)
    for another in visited:
        state = merge_blocks(*state, *another)
    o, m, l = state
    return o, m + l.log()
