# one maximum for a whole head: a query whose scores all lie 104 below another query's gives zeros
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * torch.bmm(q, k.transpose(1, 2))
    if causal:
        s.masked_fill_(~torch.ones_like(s[0], dtype=torch.bool).tril(n_k - n_q), -torch.inf)
    top = s.amax(dim=(1, 2), keepdim=True).clamp(min=torch.finfo(s.dtype).min)
    e = (s - top).exp()
    l = e.sum(dim=-1, keepdim=True)
    return torch.bmm(e, v) / l.masked_fill(l == 0, 1.0)
