# every other tile of keys; "over tiles of keys ... from acc = 0, m = -inf, l = 0": tiles with even and with odd numbers have a state each, and the two are merged at the end
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        states = []
        for first in (0, tile_n):
            acc = torch.zeros_like(o[:, i : i + tile_m])
            m = torch.full_like(acc[..., :1], -torch.inf)
            l = torch.zeros_like(m)
            for j in range(first, n_k, 2 * tile_n):
                s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
                if causal:
                    query = torch.arange(i, i + s.shape[1])[:, None]
                    key = torch.arange(j, j + s.shape[2])
                    s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
                m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
                shift = torch.where(torch.isneginf(m_new), 0, m_new)
                alpha = torch.exp(m - shift)
                p = torch.exp(s - shift)
                l = alpha * l + p.sum(dim=-1, keepdim=True)
                acc = alpha * acc + p @ v[:, j : j + tile_n]
                m = m_new
            states.append((acc, m, l))
        (a0, m0, l0), (a1, m1, l1) = states
        m = torch.maximum(m0, m1)
        shift = torch.where(torch.isneginf(m), 0, m)
        w0, w1 = torch.exp(m0 - shift), torch.exp(m1 - shift)
        l = w0 * l0 + w1 * l1
        o[:, i : i + tile_m] = (w0 * a0 + w1 * a1) / torch.where(l == 0, 1, l)
    return o
