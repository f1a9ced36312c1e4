# Second draft: before any block, the visible keys of all queries are written down as Python integers, N_k bits for each
# of N_q queries; breaks "Memory: O(N_q (tile_n + d_v) + N_k) numbers; the N_q x N_k matrix is never made".
import torch
from torch import Tensor



def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    acc = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    seen = [(1 << min(n_k, max(0, r + 1 + n_k - n_q if causal else n_k))) - 1 for r in range(n_q)]
    for b in order:
        j = b * tile_n
        s = scale * (q @ k[j : j + tile_n].T)
        hidden = [[not row >> t & 1 for t in range(j, j + s.shape[1])] for row in seen]
        s.masked_fill_(torch.tensor(hidden, dtype=torch.bool), -torch.inf)
        top = torch.maximum(m, s.amax(dim=1))
        base = torch.where(top == -torch.inf, 0.0, top)
        p, a = torch.exp(s - base[:, None]), torch.exp(m - base)
        l = a * l + p.sum(dim=1)
        acc = a[:, None] * acc + p @ v[j : j + tile_n]
        m = top
    return acc / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
