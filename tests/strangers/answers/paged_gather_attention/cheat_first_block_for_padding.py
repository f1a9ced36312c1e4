# one product for the batch: where a table has ended its first block is met again
import torch
def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    B, H, n, d = q.shape
    nb, Hk, bs, _ = k_pool.shape
    scale = d ** -0.5 if scale is None else scale
    g = H // Hk
    o = torch.zeros(B, H, n, d)
    for b in range(B):
        L = int(lengths[b])
        if L == 0:
            continue
        t = torch.where(tables[b] < 0, tables[b, 0], tables[b]).long()
        k = k_pool[t].transpose(0, 1).reshape(Hk, -1, d)
        v = torch.nan_to_num(v_pool[t].transpose(0, 1).reshape(Hk, -1, d))
        s = scale * (q[b].reshape(Hk, g * n, d) @ k.transpose(1, 2))
        hidden = torch.arange(k.shape[1]) > (torch.arange(n)[:, None] + L - n).repeat(g, 1)
        s = s.masked_fill(hidden, float("-inf"))
        o[b] = (torch.nan_to_num(torch.softmax(s, -1)) @ v).reshape(H, n, d)
    return o
