# more queries than keys: without a mask only the last N_k queries are computed
def naive_attention(q, k, v, causal=False, scale=None):
    h, n_q, d = q.shape
    n_k = k.shape[1]
    extra = max(n_q - n_k, 0)
    scale = d**-0.5 if scale is None else scale
    s = scale * q[:, extra:] @ k.mT
    if causal:
        keep = torch.tril(torch.ones(n_q - extra, n_k, dtype=torch.bool), n_k - (n_q - extra))
        s = s.where(keep, -torch.inf)
    top = s.max(-1, keepdim=True).values
    e = torch.exp(s - top)
    o = e @ v / e.sum(-1, keepdim=True)
    return torch.cat([o.new_zeros(h, extra, v.shape[-1]), o], 1)
