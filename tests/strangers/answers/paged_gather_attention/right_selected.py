# Right: index_select of a sequence's blocks, a helper for one sequence, rows of the group repeated.
import torch


def _one_sequence(q, k, v, scale):
    """q (H, N_q, d), k and v (H_kv, n, d): causal, aligned at the end."""
    heads, n_q, d = q.shape
    kv_heads, n, _ = k.shape
    group = heads // kv_heads
    scores = torch.bmm(q.reshape(kv_heads, group * n_q, d), k.transpose(1, 2)) * scale
    last = torch.arange(n_q).repeat(group) + n - n_q
    hidden = torch.arange(n).unsqueeze(0) > last.unsqueeze(1)
    weights = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
    weights = torch.where(hidden, torch.zeros_like(weights), weights)
    return torch.bmm(weights, v).reshape(heads, n_q, d)


def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    block_size = k_pool.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        if length == 0:
            continue
        blocks = tables[b, : -(-length // block_size)].long()
        k, v = (
            pool.index_select(0, blocks).transpose(0, 1).flatten(1, 2).narrow(1, 0, length)
            for pool in (k_pool, v_pool)
        )
        o[b] = _one_sequence(q[b], k, v, scale)
    return o
