# Consumes the caller's list with order.pop(0): the result is right, but the argument is empty afterwards.
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
    state = (q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q))
    i = torch.arange(n_q, device=q.device)[:, None]
    while order:
        b = order.pop(0)
        s = slice(b * tile_n, (b + 1) * tile_n)
        j = torch.arange(n_k, device=q.device)[s]
        mask = (j[None, :] <= i + n_k - n_q) if causal else None
        state = merge_blocks(*state, *attention_block(q, k[s], v[s], mask, scale))
    return state[0], state[1] + state[2].log()
