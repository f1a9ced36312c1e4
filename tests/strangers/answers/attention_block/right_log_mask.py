# the mask as an additive bias of 0 and -inf, the quotient by a reciprocal that is 0 for blind rows
def attention_block(q, k, v, mask=None, scale=None):
    d = q.shape[1]
    s = torch.einsum("nd,md->nm", q, k) * (d**-0.5 if scale is None else scale)
    if mask is not None:
        s = s + torch.log(mask.to(s.dtype))
    m, _ = s.max(dim=1)
    e = torch.exp(s - torch.clamp(m, min=torch.finfo(s.dtype).min)[:, None])
    l = e.sum(dim=1)
    inverse = torch.where(l > 0, 1 / l, 0)
    return torch.einsum("nm,mv->nv", e, v) * inverse[:, None], m, l
