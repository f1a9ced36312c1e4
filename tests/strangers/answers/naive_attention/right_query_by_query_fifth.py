# right: one query of one head at a time over the slice of keys that it sees; no mask at all, an empty slice leaves the zeros
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(q.shape[0], n_q, v.shape[-1])
    for i in range(n_q):
        visible = i + n_k - n_q + 1 if causal else n_k
        if visible <= 0:
            continue
        for h in range(q.shape[0]):
            scores = torch.mv(k[h, :visible], q[h, i]) * scale
            weights = torch.exp(scores - scores.max())
            o[h, i] = torch.mv(v[h, :visible].T, weights) / weights.sum()
    return o
