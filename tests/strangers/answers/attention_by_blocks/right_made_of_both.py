# slice, mask by key positions, attention_block, merge_blocks from the identity
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
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    queries = torch.arange(n_q, device=q.device)[:, None]
    for b in order:
        keys = slice(b * tile_n, min((b + 1) * tile_n, n_k))
        mask = None
        if causal:
            mask = torch.arange(keys.start, keys.stop, device=q.device) <= queries + n_k - n_q
        o, m, l = merge_blocks(o, m, l, *attention_block(q, k[keys], v[keys], mask, scale))
    return o, m + torch.log(l)
