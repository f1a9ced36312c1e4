# Right: output and queries split side by side; past and own triangle, weights by log-sum-exp.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    if scale is None:
        scale = q.shape[1] ** -0.5
    o = q.new_zeros(q.shape[0], v.shape[1])
    end = k.shape[0] - q.shape[0]
    if len(q) == 0:
        return o
    for part, queries in zip(o.split(chunk), q.split(chunk)):
        c = len(queries)
        end += c
        s = torch.mm(queries, k[:end].t()).mul_(scale)
        corner = torch.full((c, c), -torch.inf, dtype=q.dtype, device=q.device).triu_(1)
        s[:, end - c :].add_(corner)
        s.sub_(torch.logsumexp(s, 1, True)).exp_()
        part.copy_(torch.mm(s, v[:end]))
    return o
