# One scratch of chunk x N_k scores for all chunks; products go into it with out=, the softmax is done in place.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    if n_q == 0:
        return o
    scratch = q.new_empty(min(chunk, n_q) * n_k)
    for first in range(0, n_q, chunk):
        rows = min(chunk, n_q - first)
        end = first + rows + n_k - n_q
        s = scratch[: rows * end].view(rows, end)
        torch.mm(q[first : first + rows], k[:end].T, out=s)
        s.mul_(scale)
        hidden = torch.ones(rows, rows, dtype=torch.bool).triu_(1)
        s[:, end - rows :].masked_fill_(hidden, -torch.inf)
        s.sub_(s.amax(1, keepdim=True)).exp_()
        s.div_(s.sum(1, keepdim=True))
        torch.mm(s, v[:end], out=o[first : first + rows])
    return o
