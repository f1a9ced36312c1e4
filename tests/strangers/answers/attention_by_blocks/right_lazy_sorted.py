# right: no merge at all; the visited blocks in sorted order with an undivided accumulator, divided once.
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
    factor = q.shape[1] ** -0.5 if scale is None else scale
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, 1)
    m = q.new_full((n_q, 1), -torch.inf)
    limit = torch.arange(n_q, device=q.device)[:, None] + (n_k - n_q)
    for start in (b * tile_n for b in sorted(order)):
        keys = k[start : start + tile_n]
        S = torch.matmul(q, keys.T) * factor
        if causal:
            S[torch.arange(start, start + len(keys), device=q.device) > limit] = -torch.inf
        top = torch.maximum(m, S.amax(dim=1, keepdim=True))
        origin = torch.where(top == -torch.inf, 0.0, top)
        P = torch.exp(S - origin)
        shrink = torch.exp(m - origin)
        acc = torch.addmm(acc * shrink, P, v[start : start + tile_n])
        l = l * shrink + P.sum(dim=1, keepdim=True)
        m = top
    o = acc / torch.where(l == 0, 1.0, l)
    return o, (m + torch.log(l)).squeeze(1)
