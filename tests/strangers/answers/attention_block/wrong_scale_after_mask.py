# Masks with -inf and scales afterwards: a scale of 0 gives NaN for what is masked, a negative one +inf.
def attention_block(q, k, v, mask=None, scale=None):
    s = torch.mm(q, k.t())
    if mask is not None:
        s[~mask] = -torch.inf
    s *= scale if scale is not None else q.shape[1] ** -0.5
    m = s.max(dim=1)[0]
    e = torch.exp(s - torch.where(m == -torch.inf, 0, m).unsqueeze(1))
    l = e.sum(1)
    return torch.mm(e, v) / torch.where(l > 0, l, 1).unsqueeze(1), m, l
