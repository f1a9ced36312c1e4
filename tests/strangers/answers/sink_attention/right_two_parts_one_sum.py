# Window part and the sinks in front of the window are exponentiated separately, under the maximum of both.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k).reshape(-1, 1)
    j = torch.arange(n_k).reshape(1, -1)
    s = torch.einsum("id,jd->ij", q, k) * scale
    recent = s.masked_fill((j > p) | (j <= p - window), -torch.inf)
    first = min(sinks, n_k)
    far = s[:, :first].masked_fill(j[:, :first] > p - window, -torch.inf)
    top = torch.cat([recent, far], dim=1).amax(dim=1, keepdim=True) if n_k else s.new_zeros(n_q, 1)
    recent, far = torch.exp(recent - top), torch.exp(far - top)
    total = recent.sum(1, keepdim=True) + far.sum(1, keepdim=True)
    return (recent @ v + far @ v[:first]) / total
