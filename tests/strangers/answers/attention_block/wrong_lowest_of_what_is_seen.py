# Fills masked scores with a number below the lowest one that is seen, and fails where none is seen at all.
def attention_block(q, k, v, mask=None, scale=None):
    s = (q @ k.T) * (q.shape[1] ** -0.5 if scale is None else scale)
    if mask is None:
        mask = torch.ones_like(s, dtype=torch.bool)
    low = s[mask].min()
    m = s.where(mask, low).amax(1)
    e = torch.exp(s.where(mask, low) - m[:, None]) * mask
    l = e.sum(1)
    blind = l == 0
    return e @ v / l.masked_fill(blind, 1)[:, None], m.masked_fill(blind, -torch.inf), l
