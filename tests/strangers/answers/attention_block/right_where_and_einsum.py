# where in place of masked_fill, einsum products, nan of unseen rows turned to zero in the weights
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    factor = scale if scale is not None else q.size(-1) ** -0.5
    s = torch.einsum("nd,md->nm", q, k).mul(factor)
    if mask is not None:
        s = torch.where(mask, s, torch.tensor(-torch.inf, dtype=s.dtype, device=s.device))
    m = s.max(dim=-1, keepdim=True).values
    e = torch.nan_to_num(torch.exp(s - m), nan=0.0)
    l = e.sum(dim=-1, keepdim=True)
    w = torch.nan_to_num(e / l, nan=0.0)
    return torch.einsum("nm,mc->nc", w, v), m.squeeze(-1), l.squeeze(-1)
