# for every query a slice of the keys it can see; nothing is masked, the rest is left at zero
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    out = torch.zeros(q.shape[0], n_q, v.shape[-1], dtype=q.dtype, device=q.device)
    for i in range(n_q):
        end = min(n_k, i + n_k - n_q + 1) if causal else n_k
        if end <= 0:
            continue
        s = (k[:, :end] @ q[:, i, :, None]).squeeze(-1) * scale
        w = s.softmax(dim=-1)
        out[:, i] = (w[:, None, :] @ v[:, :end]).squeeze(1)
    return out
