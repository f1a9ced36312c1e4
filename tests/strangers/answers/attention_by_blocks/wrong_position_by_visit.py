# counts keys in the order of the visits, so the causal mask is right only if the blocks come in ascending order
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
    o, m, l = torch.zeros(n_q, v.shape[1]), torch.full((n_q,), -torch.inf), torch.zeros(n_q)
    seen = 0
    for b in order:
        kb, vb = k[b * tile_n : (b + 1) * tile_n], v[b * tile_n : (b + 1) * tile_n]
        j = torch.arange(seen, seen + len(kb))
        seen += len(kb)
        mask = j[None] <= torch.arange(n_q)[:, None] + n_k - n_q if causal else None
        o, m, l = merge_blocks(o, m, l, *attention_block(q, kb, vb, mask, scale))
    return o, m + l.log()
