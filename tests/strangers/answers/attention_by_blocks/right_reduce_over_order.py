# functools.reduce over the order, mask by tril with the block's own offset
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

    def add(state, b):
        at = b * tile_n
        kb, vb = k[at : at + tile_n], v[at : at + tile_n]
        mask = None
        if causal:
            mask = torch.ones(n_q, kb.shape[0], dtype=torch.bool, device=q.device)
            mask = mask.tril(n_k - n_q - at)
        return merge_blocks(*attention_block(q, kb, vb, mask=mask, scale=scale), *state)

    empty = (
        torch.zeros(n_q, v.shape[1], dtype=q.dtype, device=q.device),
        torch.full((n_q,), -torch.inf, dtype=q.dtype, device=q.device),
        torch.zeros(n_q, dtype=q.dtype, device=q.device),
    )
    o, m, l = reduce(add, order, empty)
    return o, torch.where(l > 0, m + torch.log(l), -torch.inf)
