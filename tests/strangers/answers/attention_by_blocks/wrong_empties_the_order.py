# takes the block numbers with order.pop(0) and leaves the caller's list empty
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
    state = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    while order:
        lo = order.pop(0) * tile_n
        hi = min(lo + tile_n, n_k)
        mask = None
        if causal:
            mask = torch.arange(lo, hi)[None, :] <= torch.arange(n_q)[:, None] + (n_k - n_q)
        state = merge_blocks(*state, *attention_block(q, k[lo:hi], v[lo:hi], mask, scale))
    o, m, l = state
    return o, m + torch.log(l)
