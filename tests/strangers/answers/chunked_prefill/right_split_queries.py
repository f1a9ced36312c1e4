# torch.split over queries and output rows together; each chunk is multiplied with the prefix it can see and masked by a triangle on its own tokens alone.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    end = n_k - n_q
    for rows, target in zip(q.split(chunk), o.split(chunk)):
        c = rows.shape[0]
        if c == 0:
            continue
        end += c
        s = torch.addmm(rows.new_zeros(c, end), rows, k[:end].t(), alpha=scale)
        triangle = torch.ones(c, c, dtype=torch.bool).triu(1)
        s[:, end - c :].masked_fill_(triangle, -torch.inf)
        torch.mm(s.softmax(1), v[:end], out=target)
    return o
