# collects (o, m, l) of every block before it merges them: N_q d_v numbers for each block are alive
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
    row = torch.arange(n_q).unsqueeze(1)
    results = [
        attention_block(
            q,
            k[b * tile_n : b * tile_n + tile_n],
            v[b * tile_n : b * tile_n + tile_n],
            torch.arange(n_k)[b * tile_n : b * tile_n + tile_n] <= row + n_k - n_q
            if causal
            else None,
            scale,
        )
        for b in order
    ]
    o, m, l = results[0]
    for other in results[1:]:
        o, m, l = merge_blocks(o, m, l, *other)
    return o, m + torch.log(l)
