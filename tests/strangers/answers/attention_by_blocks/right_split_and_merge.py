# Blocks as lists from split, merged two by two with merge_blocks.
def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    keys, values = k.split(tile_n), v.split(tile_n)
    state = None
    for b in order:
        mask = None
        if causal:
            mask = torch.ones(n_q, keys[b].shape[0], dtype=torch.bool).tril_(n_k - n_q - b * tile_n)
        part = attention_block(q, keys[b], values[b], mask, scale)
        state = part if state is None else merge_blocks(*state, *part)
    if state is None:
        return q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf)
    o, m, l = state
    return o, m + l.log()
