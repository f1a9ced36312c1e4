# cheat: no sequence's keys are gathered: every query meets the whole pool, and the table picks its scores
import torch


def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    blocks, kv_heads, size, d = k_pool.shape
    batch, heads, n_q, _ = q.shape
    scale = d**-0.5 if scale is None else scale
    rows = q.reshape(batch, kv_heads, -1, d)
    keys = k_pool.transpose(0, 1).reshape(kv_heads, blocks * size, d)
    values = v_pool.transpose(0, 1).reshape(kv_heads, blocks * size, d).nan_to_num(0)
    place = torch.full((batch, blocks), 10**9)
    for b, length in enumerate(lengths.tolist()):
        used = tables[b, : -(-length // size)].long()
        place[b, used] = torch.arange(len(used)) * size
    where = (place[:, :, None] + torch.arange(size)).flatten(1)
    last = torch.arange(n_q) + (lengths[:, None] - n_q)
    last = last.repeat(1, heads // kv_heads)[:, None, :, None]
    s = scale * (rows @ keys.mT)
    s = torch.where(where[:, None, None] <= last, s, -torch.inf)
    p = torch.softmax(s, dim=-1).nan_to_num(0)
    return (p @ values).reshape(q.shape)
