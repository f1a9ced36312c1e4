# right: own running sums, divided once at the end; hidden keys by a lower triangle set per block
def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    factor = q.shape[1] ** -0.5 if scale is None else scale
    total = q.new_zeros(n_q, v.shape[1])
    weight = q.new_zeros(n_q, 1)
    top = q.new_full((n_q, 1), -torch.inf)
    for number in order:
        first = number * tile_n
        keys, values = k.narrow(0, first, min(tile_n, n_k - first)), v[first : first + tile_n]
        s = torch.mm(q, keys.t()).mul_(factor)
        if causal:
            seen = torch.ones_like(s, dtype=torch.bool).tril(n_k - n_q - first)
            s.masked_fill_(seen.logical_not_(), -torch.inf)
        now = torch.maximum(top, s.amax(dim=1, keepdim=True))
        base = torch.where(now == -torch.inf, 0.0, now)
        keep = torch.exp(top - base)
        s.sub_(base).exp_()
        weight = weight * keep + s.sum(dim=1, keepdim=True)
        total = torch.addmm(total * keep, s, values)
        top = now
    L = (top + weight.log()).squeeze(1)
    return total / weight.masked_fill(weight == 0, 1.0), L
