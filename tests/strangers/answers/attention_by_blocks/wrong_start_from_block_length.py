# Derives a block's first key as b times the block's own length, so a ragged last block is masked too far left (causal and N_k no multiple of tile_n: early queries see future keys).
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
    K, V = k.split(tile_n), v.split(tile_n)
    o, m, l = q.new_zeros(n_q, V[0].shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for b in order:
        size = len(K[b])
        mask = None
        if causal:
            key_pos = b * size + torch.arange(size, device=q.device)
            query_pos = n_k - n_q + torch.arange(n_q, device=q.device)
            mask = query_pos[:, None] >= key_pos[None, :]
        o, m, l = merge_blocks(o, m, l, *attention_block(q, K[b], V[b], mask, scale))
    return o, m + torch.log(l)
