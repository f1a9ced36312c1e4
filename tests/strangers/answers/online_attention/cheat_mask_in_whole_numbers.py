# Second draft: the whole causal mask as Python integers of N_k bits, one for each query; breaks "nothing is N_q x N_k, no
# mask either".
import torch
from torch import Tensor



def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    seen = [(1 << min(n_k, max(0, r + 1 + n_k - n_q if causal else n_k))) - 1 for r in range(n_q)]
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        hidden = [[not row >> t & 1 for t in range(j, j + s.shape[1])] for row in seen]
        s.masked_fill_(torch.tensor(hidden, dtype=torch.bool), -torch.inf)
        top = torch.maximum(m, s.amax(dim=1))
        base = torch.where(top == -torch.inf, 0.0, top)
        p, past = torch.exp(s - base[:, None]), l * torch.exp(m - base)
        l = past + p.sum(dim=1)
        safe = torch.where(l == 0, 1.0, l)[:, None]
        o = (past[:, None] * o + p @ v[j : j + tile_n]) / safe
        m = top
    return o
