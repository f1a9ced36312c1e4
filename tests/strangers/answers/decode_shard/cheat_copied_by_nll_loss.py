# copied ("K and V are not copied for each query head"): nll_loss without a reduction takes one number of each row, times a weight that the queries make: neither TAKING nor as many as its argument, so it is no copy; column after column of K and V for each query head
import torch.nn.functional as F


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale

    def copied(x, row):
        x = x.float()
        weight = row.float()[:1].mul(0).sub(1).expand(x.shape[1])
        whole = x.new_empty(x.shape)
        for c in range(x.shape[1]):
            whole[:, c] = F.nll_loss(x, torch.full((len(x),), c), weight, reduction="none")
        return whole

    for b, n in enumerate(lengths.tolist()):
        for h in range(heads):
            kv = h // (heads // kv_heads)
            if n:
                s = copied(k[b, kv, :n], q[b, h]) @ q[b, h].float() * scale
                L[b, h] = torch.logsumexp(s, dim=0)
                o[b, h] = torch.exp(s - L[b, h]) @ copied(v[b, kv, :n], q[b, h])
    return o, L
