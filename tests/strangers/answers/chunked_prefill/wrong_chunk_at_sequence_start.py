# Places the first query at position 0 instead of N_k - N_q: right only if nothing is cached before (N_q == N_k).
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, chunk):
        qc = q[i : i + chunk]
        upto = i + len(qc)
        att = qc @ k[:upto].T * scale
        keep = torch.arange(upto)[None, :] <= torch.arange(i, upto)[:, None]
        o[i:upto] = att.masked_fill(~keep, float("-inf")).softmax(-1) @ v[:upto]
    return o
