# query i sees keys j <= i: the mask is not shifted by N_k - N_q; wrong for causal with N_q != N_k
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
    o = torch.zeros(n_q, v.shape[1], dtype=q.dtype)
    m = torch.full((n_q,), float("-inf"), dtype=q.dtype)
    l = torch.zeros(n_q, dtype=q.dtype)
    pos_q = torch.arange(n_q)
    for b in order:
        k_b, v_b = k[b * tile_n :][:tile_n], v[b * tile_n :][:tile_n]
        mask = None
        if causal:
            pos_k = b * tile_n + torch.arange(k_b.shape[0])
            mask = pos_q[:, None] >= pos_k[None, :]
        o_b, m_b, l_b = attention_block(q, k_b, v_b, mask=mask, scale=scale)
        o, m, l = merge_blocks(o, m, l, o_b, m_b, l_b)
    return o, m + torch.log(l)
