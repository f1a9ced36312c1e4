# Gathered blocks are reshaped without moving the axis of heads beside that of slots, right only for one KV head or one block.
import torch


def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    kv_heads, d = k_pool.shape[1], k_pool.shape[3]
    for b, length in enumerate(lengths.tolist()):
        if length == 0:
            continue
        own = tables[b, : -(-length // block_size)].long()
        k = k_pool[own].reshape(kv_heads, -1, d)[:, :length]
        v = v_pool[own].reshape(kv_heads, -1, d)[:, :length]
        queries = q[b].unflatten(0, (kv_heads, group))
        s = scale * (queries @ k[:, None].mT)
        hidden = torch.arange(length) > torch.arange(n_q)[:, None] + length - n_q
        p = torch.softmax(s.masked_fill(hidden, -torch.inf), dim=-1).masked_fill(hidden, 0.0)
        o[b] = (p @ v[:, None]).flatten(0, 1)
    return o
