# a loop over sequences and KV heads, only over the keys that are there, powers of 2
def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)

    c = d**-0.5 if scale is None else float(scale)
    group, ln2 = heads // kv_heads, 0.6931471805599453
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        for h in range(kv_heads):
            mine = slice(h * group, (h + 1) * group)
            keys, values = k[b, h, :n].float(), v[b, h, :n].float()
            bits = (q[b, mine].float() @ keys.t()) * c / ln2
            top = bits.amax(dim=1, keepdim=True)
            weights = torch.exp2(bits - top)
            total = weights.sum(dim=1, keepdim=True)
            o[b, mine] = (weights / total) @ values
            L[b, mine] = ((top + torch.log2(total)) * ln2)[:, 0]
    return o, L
