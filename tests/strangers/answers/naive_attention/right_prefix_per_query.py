# right: one query at a time for all heads; a causal query takes the prefix of keys that it sees, none of them gives zeros.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = v.new_zeros(q.shape[0], n_q, v.shape[-1])
    for i in range(n_q):
        seen = min(max(i + 1 + n_k - n_q, 0), n_k) if causal else n_k
        if seen == 0:
            continue
        scores = scale * torch.einsum("hd,hjd->hj", q[:, i], k[:, :seen])
        weights = torch.exp(scores - scores.amax(dim=1, keepdim=True))
        weights = weights / weights.sum(dim=1, keepdim=True)
        o[:, i] = torch.einsum("hj,hjv->hv", weights, v[:, :seen])
    return o
