# Makes the causal mask as one N_q x N_k boolean matrix and slices its columns: right numbers, but an N_q x N_k matrix is made.
def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    N, M = q.shape[0], k.shape[0]
    visible = torch.ones(N, M, dtype=torch.bool, device=q.device)
    if causal:
        visible.tril_(M - N)
    acc = q.new_zeros(N, v.shape[1]), q.new_full((N,), -torch.inf), q.new_zeros(N)
    for b in order:
        c = slice(tile_n * b, tile_n * (b + 1))
        acc = merge_blocks(*acc, *attention_block(q, k[c], v[c], visible[:, c], scale))
    o, m, l = acc
    return o, m + l.log()
