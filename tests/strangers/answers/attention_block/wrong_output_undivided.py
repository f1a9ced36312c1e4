# returns the sum of weighted values and leaves the division to the merge, as FlashAttention-2 does; o is too large by the factor l
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    qk = torch.mm(q, k.t()) * scale
    if mask is not None:
        qk.masked_fill_(mask.logical_not(), -torch.inf)
    m_i = qk.amax(1)
    p = torch.exp(qk - m_i.clamp(min=torch.finfo(qk.dtype).min)[:, None])
    return p @ v, m_i, p.sum(1)
