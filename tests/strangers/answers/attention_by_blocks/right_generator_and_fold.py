# A small generator yields one block's result at a time and functools.reduce folds them with merge_blocks.
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
    n_q, n_k = q.shape[0], k.shape[0]
    limit = torch.arange(n_k - n_q, n_k, device=q.device)[:, None]

    def visit():
        for b in order:
            lo, hi = b * tile_n, min((b + 1) * tile_n, n_k)
            mask = torch.arange(lo, hi, device=q.device) <= limit if causal else None
            yield attention_block(q, k[lo:hi], v[lo:hi], mask, scale)

    nothing = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    o, m, l = reduce(lambda a, b: merge_blocks(*a, *b), visit(), nothing)
    return o, m + torch.log(l)
