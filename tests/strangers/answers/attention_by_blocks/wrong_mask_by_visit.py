# Counts key positions for the causal mask as the blocks are visited instead of taking b * tile_n, so causal calls with an order other than 0, 1, 2, ... hide the wrong keys.
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
    o = torch.zeros(n_q, v.shape[1], dtype=q.dtype, device=q.device)
    m = torch.full((n_q,), -torch.inf, dtype=q.dtype, device=q.device)
    l = torch.zeros(n_q, dtype=q.dtype, device=q.device)
    rows = torch.arange(n_q, device=q.device)
    seen = 0
    for b in order:
        k_b, v_b = k[b * tile_n : (b + 1) * tile_n], v[b * tile_n : (b + 1) * tile_n]
        mask = None
        if causal:
            cols = torch.arange(seen, seen + len(k_b), device=q.device)
            mask = cols[None, :] <= rows[:, None] + n_k - n_q
        o, m, l = merge_blocks(o, m, l, *attention_block(q, k_b, v_b, mask, scale))
        seen += len(k_b)
    return o, m + torch.log(l)
