# the row's maximum is taken before the scale: with a negative scale the exponentials overflow
def grouped_attention(q, k, v, causal=False, scale=None):
    B, H, n_q, d = q.shape
    H_kv, n_k = k.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    hidden = torch.zeros(n_q, n_k, dtype=torch.bool)
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)
    o = torch.zeros_like(q)
    for h in range(H):
        kv = h // (H // H_kv)
        s = q[:, h] @ k[:, kv].mT
        top = s.masked_fill(hidden, -torch.inf).amax(-1, keepdim=True)
        top = torch.where(top.isneginf(), 0, top)
        e = torch.exp(scale * (s - top)).masked_fill(hidden, 0)
        o[:, h] = e @ v[:, kv] / e.sum(-1, keepdim=True).clamp(min=1e-30)
    return o
