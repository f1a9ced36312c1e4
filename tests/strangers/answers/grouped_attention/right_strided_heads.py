# Walks over KV heads and the heads of a group with base + offset, masks by comparing positions and clamps the denominator.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    i, j = torch.arange(n_q)[:, None], torch.arange(n_k)[None, :]
    hidden = (j - i) > (n_k - n_q)
    for kv in range(kv_heads):
        for h in range(kv * (heads // kv_heads), (kv + 1) * (heads // kv_heads)):
            for b in range(len(q)):
                S = torch.mm(q[b, h], k[b, kv].t()) * scale
                if causal:
                    S[hidden] = float("-inf")
                top = S.amax(dim=1, keepdim=True) if n_k else S.new_zeros(n_q, 1)
                P = (S - top.nan_to_num(neginf=0.0)).exp_()
                total = P.sum(1, keepdim=True)
                o[b, h] = torch.mm(P, v[b, kv]) / torch.where(total > 0, total, 1.0)
    return o
