# Plain loop; the mask of a block is a local tril whose diagonal is the block's distance from the corner; blocks that nobody sees are skipped.
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
    o = q.new_zeros(n_q, v.shape[-1])
    m = torch.full_like(q[:, 0], -torch.inf)
    l = torch.zeros_like(m)
    for number in order:
        start = number * tile_n
        kb, vb = k[start : start + tile_n], v[start : start + tile_n]
        seen = None
        if causal:
            seen = q.new_ones(n_q, len(kb), dtype=torch.bool).tril_(n_k - n_q - start)
            if not seen.any():
                continue
        o, m, l = merge_blocks(o, m, l, *attention_block(q, kb, vb, mask=seen, scale=scale))
    return o, torch.where(l > 0, m + l.log(), -torch.inf)
