# Wrong: the maximum is taken of the raw products and scaled then, as FlashAttention's kernels do; with a negative scale it is the minimum.
# Breaks: "causal, scale: as in `naive_attention`", scale "of any sign or 0": large scores overflow.
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        H, M = q_tile.shape[:2]
        acc = q.new_zeros(H, M, v.shape[-1])
        m = q.new_full((H, M), -torch.inf)
        l = q.new_zeros(H, M)
        for j in range(0, n_k, tile_n):
            s = q_tile @ k[:, j : j + tile_n].mT
            hidden = torch.zeros(M, s.shape[2], dtype=torch.bool)
            if causal:
                rows = torch.arange(i, i + M)[:, None] + n_k - n_q
                hidden = torch.arange(j, j + s.shape[2]) > rows
            raw = s.masked_fill(hidden, -torch.inf).amax(dim=-1)
            top = torch.where(torch.isneginf(raw), raw, raw * scale)
            m_new = torch.maximum(m, top)
            safe = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
            p = torch.exp(s * scale - safe[..., None]).masked_fill(hidden, 0)
            a = torch.exp(m - safe)
            acc = acc * a[..., None] + p @ v[:, j : j + tile_n]
            l = l * a + p.sum(dim=-1)
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, torch.ones_like(l), l)[..., None]
    return o
