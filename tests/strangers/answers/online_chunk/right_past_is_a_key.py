# Right: the past joins the chunk as one more column with multiplicity l; shares of the new denominator, then one matrix product.
def online_chunk(o, m, l, s, v):
    columns = torch.cat([m[:, None], s], dim=1)
    top = columns.amax(dim=1)
    base = top.masked_fill(top == -torch.inf, 0.0)
    weights = torch.exp(columns - base[:, None])
    weights[:, 0] *= l
    total = weights.sum(dim=1)
    weights /= total.masked_fill(total == 0, 1.0)[:, None]
    return torch.addcmul(weights[:, 1:] @ v, weights[:, :1], o), top, total
