# adds 1e-9 inside the log and shifts an empty maximum to 0, so a query that sees no key reports L = -20.7 instead of -inf
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
    limit = torch.arange(n_q, device=q.device).view(-1, 1) + n_k - n_q
    acc = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for b in order:
        idx = torch.arange(b * tile_n, min(n_k, b * tile_n + tile_n), device=q.device)
        mask = (idx <= limit) if causal else None
        acc = merge_blocks(*acc, *attention_block(q, k[idx], v[idx], mask, scale))
    o, m, l = acc
    return o, torch.nan_to_num(m, neginf=0.0) + torch.log(l + 1e-9)
