# Computes the parts of all blocks into a list and merges afterwards: right values, but N_k / tile_n outputs of N_q x d_v are alive at once, beyond the memory of one block.
from functools import reduce


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    limit = torch.arange(n_q, device=q.device).view(-1, 1) + n_k - n_q

    def part(b):
        keys = torch.arange(b * tile_n, min((b + 1) * tile_n, n_k), device=q.device)
        mask = keys <= limit if causal else None
        lo, hi = b * tile_n, (b + 1) * tile_n
        return attention_block(q, k[lo:hi], v[lo:hi], mask=mask, scale=scale)

    parts = [part(b) for b in order]
    o, m, l = reduce(lambda left, right: merge_blocks(*left, *right), parts)
    return o, m + l.log()
