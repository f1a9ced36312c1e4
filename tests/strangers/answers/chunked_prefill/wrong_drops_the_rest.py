# Loops over n_q // chunk whole chunks: the rows of a last short chunk stay zero (all of them if chunk > N_q).
def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for c in range(n_q // chunk):
        sl = slice(c * chunk, (c + 1) * chunk)
        pos = torch.arange(sl.start, sl.stop) + n_k - n_q
        s = scale * (q[sl] @ k.t())
        s[torch.arange(n_k)[None] > pos[:, None]] = -torch.inf
        o[sl] = s.softmax(1) @ v
    return o
