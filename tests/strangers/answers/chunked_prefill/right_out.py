# products written straight into the output with out=, only the triangle is masked
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    before = n_k - n_q
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        visible = before + end
        s = torch.mm(q[begin:end], k[:visible].T).mul_(scale)
        corner = s[:, before + begin :]  # (rows, rows): the chunk with itself
        corner.masked_fill_(torch.ones_like(corner, dtype=torch.bool).triu_(1), -torch.inf)
        torch.mm(s.softmax(dim=1), v[:visible], out=o[begin:end])
    return o
