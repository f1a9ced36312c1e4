# memory: neighbours in the order are taken as one block of up to eight times the size
def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    row = torch.arange(n_q)[:, None] + n_k - n_q
    state = None
    for i in range(0, len(order), 8):
        at = torch.cat([torch.arange(b * tile_n, min((b + 1) * tile_n, n_k)) for b in order[i : i + 8]])
        part = attention_block(q, k[at], v[at], at <= row if causal else None, scale)
        state = part if state is None else merge_blocks(*state, *part)
    o, m, l = state
    return o, m + l.log()
