# right: addmm puts the mask in as a bias of 0 or -inf, and a column of ones beside the values brings the denominators in the same product
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    if scale is None:
        scale = q.shape[-1] ** -0.5
    bias = q.new_zeros(len(q), len(k))
    if mask is not None:
        bias.masked_fill_(mask.logical_not(), -torch.inf)
    S = bias + scale * torch.mm(q, k.T)
    m = torch.max(S, dim=1).values
    P = torch.exp(S - torch.where(m > -torch.inf, m, 0.0).unsqueeze(1))
    sums = torch.mm(P, torch.cat([v, v.new_ones(len(v), 1)], dim=1))
    numerator, l = sums[:, :-1], sums[:, -1].clone()
    o = torch.zeros_like(numerator)
    some = l > 0
    o[some] = numerator[some] / l[some].unsqueeze(1)
    return o, m, l
