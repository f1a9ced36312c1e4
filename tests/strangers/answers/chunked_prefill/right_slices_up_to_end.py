# Each chunk takes the keys up to its own last token, so only the triangle at the end is masked (triu of the chunk).
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    before = n_k - n_q
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        s = q[begin:end] @ k[: before + end].T
        s *= scale
        future = torch.ones(end - begin, end - begin, dtype=torch.bool, device=q.device).triu(1)
        s[:, before + begin :].masked_fill_(future, -torch.inf)
        o[begin:end] = torch.softmax(s, dim=-1) @ v[: before + end]
    return o
