# Starts from the identity and merges one block at a time, with the block's strip of the mask made by tril on a shifted diagonal.
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
    m = q.new_full((n_q,), -torch.inf)
    l = q.new_zeros(n_q)
    for b in order:
        start = b * tile_n
        k_b, v_b = k[start : start + tile_n], v[start : start + tile_n]
        mask = None
        if causal:
            mask = torch.ones(n_q, k_b.shape[0], dtype=torch.bool, device=q.device)
            mask = mask.tril(n_k - n_q - start)
        o, m, l = merge_blocks(o, m, l, *attention_block(q, k_b, v_b, mask, scale))
    return o, m + torch.log(l)
