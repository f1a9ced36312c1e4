# Computes the outputs of all blocks first and merges them in the given order afterwards: right numbers, but N_q d_v numbers are alive for every block at once, seen with many blocks.
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
    parts = []
    for start in range(0, n_k, tile_n):
        k_b, v_b = k[start : start + tile_n], v[start : start + tile_n]
        mask = None
        if causal:
            mask = torch.ones(n_q, k_b.shape[0], dtype=torch.bool, device=q.device)
            mask = mask.tril(n_k - n_q - start)
        parts.append(attention_block(q, k_b, v_b, mask=mask, scale=scale))
    o, m, l = parts[order[0]]
    for b in order[1:]:
        o, m, l = merge_blocks(o, m, l, *parts[b])
    return o, m + torch.log(l)
