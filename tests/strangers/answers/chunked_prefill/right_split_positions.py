# Right: torch.split over the queries, each chunk sees only the prefix up to its last token, mask from positions, hand-written stable softmax.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    done = 0
    while done < n_q:
        size = min(chunk, n_q - done)
        p_0 = done + n_k - n_q
        seen_keys = p_0 + size
        S = torch.mm(q[done : done + size], k[:seen_keys].t()).mul_(scale)
        triangle = torch.ones(size, size, dtype=torch.bool).triu_(1)
        S[:, p_0:].masked_fill_(triangle, -torch.inf)
        S -= S.max(dim=1, keepdim=True).values
        S.exp_()
        torch.mm(S, v[:seen_keys], out=o[done : done + size])
        o[done : done + size] /= S.sum(dim=1, keepdim=True)
        done += size
    return o
