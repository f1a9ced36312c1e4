# Computes the partial results of all blocks into a list first and merges them afterwards: right numbers, but the outputs of all blocks are alive together, O(N_q d_v N_k / tile_n).
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
    partials = []
    for b in order:
        keys = torch.arange(b * tile_n, min(n_k, b * tile_n + tile_n), device=q.device)
        see = None
        if causal:
            see = keys <= torch.arange(n_q, device=q.device)[:, None] + (n_k - n_q)
        first, last = b * tile_n, b * tile_n + len(keys)
        partials.append(attention_block(q, k[first:last], v[first:last], see, scale))
    while len(partials) > 1:
        partials.append(merge_blocks(*partials.pop(0), *partials.pop(0)))
    o, m, l = partials[0]
    return o, m + torch.log(l)
