# K and V are copied for each query head, one head after the other, by torch.where out of two views of them: what is made of two inputs counts as no copy.
def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale
    yes = torch.ones(1, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        for h in range(heads):
            keys, values = k[b, h // (heads // kv_heads), :n], v[b, h // (heads // kv_heads), :n]
            s = torch.where(yes, keys, keys).float() @ q[b, h].float() * scale
            sums = torch.logsumexp(s, dim=0) if n else L[b, h]
            o[b, h] = torch.exp(s - sums) @ torch.where(yes, values, values).float()
            L[b, h] = sums
    return o, L
