# flash style: each chunk of queries meets the keys chunk by chunk, up to its own last key; keeps the contract
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    past = n_k - n_q
    for i, rows in zip(range(0, n_q, chunk), q.split(chunk)):
        position = torch.arange(i, i + len(rows), device=q.device)[:, None] + past
        m = q.new_full((len(rows), 1), -torch.inf)
        l = torch.zeros_like(m)
        acc = q.new_zeros(len(rows), v.shape[1])
        for j in range(0, past + i + len(rows), chunk):
            keys = k[j : j + chunk]
            s = (rows @ keys.T) * scale
            s = s.masked_fill(torch.arange(j, j + len(keys), device=q.device) > position, -torch.inf)
            top = torch.maximum(m, s.amax(dim=1, keepdim=True))  # key 0 is seen by all
            p, fade = torch.exp(s - top), torch.exp(m - top)
            acc = acc * fade + p @ v[j : j + chunk]
            l = l * fade + p.sum(dim=1, keepdim=True)
            m = top
        o[i : i + len(rows)] = acc / l
    return o
