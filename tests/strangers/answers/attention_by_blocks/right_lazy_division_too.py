# Right: no earlier exercise, an undivided accumulator over the visited blocks, one division at the end, blocks in the dark are passed over.
def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    factor = q.shape[1] ** -0.5 if scale is None else scale
    reach = torch.arange(n_q)[:, None] + (n_k - n_q if causal else n_k)  # last key that a query sees
    acc = q.new_zeros(n_q, v.shape[1])
    l, m = q.new_zeros(n_q, 1), q.new_full((n_q, 1), -torch.inf)
    for b in order:
        low = b * tile_n
        high = min(low + tile_n, n_k)
        s = torch.mm(q, k[low:high].T).mul_(factor)
        s.masked_fill_(torch.arange(low, high) > reach, -torch.inf)
        top = torch.maximum(m, s.amax(dim=1, keepdim=True))
        base = top.masked_fill(top == -torch.inf, 0.0)
        s.sub_(base).exp_()
        fade = torch.exp(m - base)
        acc.mul_(fade).addmm_(s, v[low:high])
        l.mul_(fade).add_(s.sum(dim=1, keepdim=True))
        m = top
    acc.div_(l.masked_fill(l == 0, 1.0))
    return acc, (m + l.log()).squeeze(1)
