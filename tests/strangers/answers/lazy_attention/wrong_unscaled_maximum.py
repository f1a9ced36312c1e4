# FlashAttention's trick: the running maximum is that of q k^T, and the scale comes into the exponent, which needs a positive one: with a negative scale the largest is the smallest, and exp overflows.
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    H, n_q, d = q.shape
    n_k = k.shape[1]
    c = d**-0.5 if scale is None else scale
    out = q.new_empty(H, n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        qi = q[:, i : i + tile_m]
        top = q.new_full((H, qi.shape[1], 1), -torch.inf)
        den, num = torch.zeros_like(top), q.new_zeros(H, qi.shape[1], v.shape[-1])
        for j in range(0, n_k, tile_n):
            raw = qi @ k[:, j : j + tile_n].mT
            if causal:
                rows = torch.arange(i, i + raw.shape[1])[:, None] + (n_k - n_q)
                seen = torch.arange(j, j + raw.shape[2]) <= rows
            else:
                seen = torch.ones(raw.shape[1:], dtype=torch.bool)
            raw = raw.where(seen, -torch.inf)
            new = torch.maximum(top, raw.amax(-1, keepdim=True))
            base = new.where(new > -torch.inf, 0)
            fade = torch.where(top > -torch.inf, torch.exp(c * (top - base)), 0)
            p = torch.exp(c * (raw - base)).where(seen, 0)
            den = fade * den + p.sum(-1, keepdim=True)
            num = fade * num + p @ v[:, j : j + tile_n]
            top = new
        out[:, i : i + tile_m] = num / den.where(den > 0, 1)
    return out
