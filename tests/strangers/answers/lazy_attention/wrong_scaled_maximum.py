# Takes the maximum of the raw scores and scales it, which for a negative scale is the minimum; overflows for scale = -1 and scores spread over more than 89.
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        m = q.new_full((q.shape[0], q_tile.shape[1], 1), -torch.inf)
        l, acc = torch.zeros_like(m), q.new_zeros(q.shape[0], q_tile.shape[1], v.shape[-1])
        for j in range(0, n_k, tile_n):
            raw = q_tile @ k[:, j : j + tile_n].mT
            seen = torch.ones_like(raw[0], dtype=torch.bool)
            if causal:
                seen = seen.tril(i - j + n_k - n_q)
            some = seen.any(1)[None, :, None]
            top = raw.masked_fill(~seen, -torch.inf).amax(-1, keepdim=True)
            top = torch.where(some, torch.where(some, top, 0.0) * scale, -torch.inf)
            m_new = torch.maximum(m, top)
            ref = torch.where(m_new == -torch.inf, 0.0, m_new)
            a = torch.exp(m - ref)
            p = torch.where(seen, torch.exp(raw * scale - ref), 0.0)
            acc, l, m = a * acc + p @ v[:, j : j + tile_n], a * l + p.sum(-1, keepdim=True), m_new
        o[:, i : i + tile_m] = torch.where(l > 0, acc / l, 0.0)
    return o
