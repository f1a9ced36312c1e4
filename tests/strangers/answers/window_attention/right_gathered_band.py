# A band of N_q x w indices; keys and values are gathered along it and slots before the beginning masked.
def window_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    back = torch.arange(max(1, min(window, n_k)))
    j = torch.arange(n_k - n_q, n_k)[:, None] - back
    if n_q == 0:
        return q.new_zeros(0, v.shape[1])
    s = (k[j.clamp(min=0)] @ q[:, :, None]).squeeze(2) * scale
    w = torch.softmax(s.masked_fill(j < 0, -torch.inf), dim=1)
    return (w[:, None] @ v[j.clamp(min=0)]).squeeze(1)
