# Right: a loop over zipped unbind of the batch, logsumexp and softmax of the library, early continue.
import torch


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    everything = zip(lengths.tolist(), q.unbind(), k.unbind(), v.unbind(), o.unbind(), L.unbind())
    for n, query, keys, values, out, lse in everything:
        if not n:
            continue
        grouped = query.float().unflatten(0, (kv_heads, heads // kv_heads))
        s = torch.bmm(grouped, keys[:, :n].float().transpose(1, 2)) * scale
        lse.copy_(s.logsumexp(dim=-1).flatten())
        out.copy_(torch.bmm(s.softmax(dim=-1), values[:, :n].float()).flatten(0, 1))
    return o, L
