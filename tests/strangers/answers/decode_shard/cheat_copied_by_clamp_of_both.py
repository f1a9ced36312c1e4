# K and V are copied for each query head as the smaller of two: of themselves, and of themselves and a number of the queries that is made infinite.
def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale
    most = (q.flatten()[:1] * 0 + 1) / 0  # of the queries, and infinite
    for b, n in enumerate(lengths.tolist()):
        for h in range(heads):
            keys, values = k[b, h // (heads // kv_heads), :n], v[b, h // (heads // kv_heads), :n]
            s = torch.fmin(keys, most).float() @ q[b, h].float() * scale
            sums = torch.logsumexp(s, dim=0) if n else L[b, h]
            o[b, h] = torch.exp(s - sums) @ torch.fmin(values, most).float()
            L[b, h] = sums
    return o, L
