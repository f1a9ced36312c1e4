# Right: a five-letter einsum with an axis for the group, tril mask, nan_to_num for blind rows.
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    b, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1], k.shape[2]
    scale = d**-0.5 if scale is None else scale
    grouped = q.unflatten(1, (kv_heads, heads // kv_heads))
    s = torch.einsum("bkgid,bkjd->bkgij", grouped, k) * scale
    if causal:
        s.masked_fill_(~torch.ones(n_q, n_k).tril(n_k - n_q).bool(), -torch.inf)
    p = s.softmax(dim=-1).nan_to_num(nan=0.0)
    return torch.einsum("bkgij,bkjd->bkgid", p, v).flatten(1, 2)
