# recursion over the order: every frame holds its state, block and mask until the last block is done, so memory grows with the number of blocks (and long orders hit the recursion limit)
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

    def visit(place, state):
        if place == len(order):
            return state
        at = order[place] * tile_n
        kb, vb = k[at : at + tile_n], v[at : at + tile_n]
        mask = None
        if causal:
            mask = torch.ones(n_q, kb.shape[0], dtype=torch.bool, device=q.device)
            mask = mask.tril(n_k - n_q - at)
        block = attention_block(q, kb, vb, mask=mask, scale=scale)
        return visit(place + 1, merge_blocks(*block, *state))

    empty = (
        torch.zeros(n_q, v.shape[1], dtype=q.dtype, device=q.device),
        torch.full((n_q,), -torch.inf, dtype=q.dtype, device=q.device),
        torch.zeros(n_q, dtype=q.dtype, device=q.device),
    )
    o, m, l = visit(0, empty)
    return o, torch.where(l > 0, m + torch.log(l), -torch.inf)
