# Masks with the row number as the position: right only for N_q == N_k; rows beyond may even see nothing.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    allowed = torch.tril(torch.ones(n_q, n_k)) - torch.tril(torch.ones(n_q, n_k), -window)
    allowed[:, :sinks] = torch.tril(torch.ones(n_q, n_k))[:, :sinks]
    s = torch.einsum("qd,kd->qk", q, k) * scale
    return torch.softmax(s + torch.log(allowed), dim=-1) @ v
