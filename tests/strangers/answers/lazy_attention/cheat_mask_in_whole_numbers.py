# The causal mask of all queries and all keys is kept as one Python integer of N_k bits for each query; breaks "no mask
# is larger either" (memory O(H (N_q d_v + tile_m (tile_n + d_v)) + N_k)).
import torch
from torch import Tensor



def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    everything = (1 << n_k) - 1
    seen = [(1 << max(0, r + 1 + n_k - n_q)) - 1 if causal else everything for r in range(n_q)]
    seen = [bits & everything for bits in seen]
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = q.new_zeros(*q_tile.shape[:2], v.shape[-1])
        m = q.new_full(q_tile.shape[:2], -torch.inf)
        l = q.new_zeros(q_tile.shape[:2])
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].mT)
            mask = torch.tensor(
                [[bits >> t & 1 for t in range(j, j + s.shape[-1])] for bits in seen[i : i + tile_m]],
                dtype=torch.bool,
            )
            s.masked_fill_(~mask, -torch.inf)
            top = torch.maximum(m, s.amax(dim=-1))
            base = torch.where(top == -torch.inf, 0.0, top)
            p, a = torch.exp(s - base[..., None]), torch.exp(m - base)
            l = a * l + p.sum(dim=-1)
            acc = a[..., None] * acc + p @ v[:, j : j + tile_n]
            m = top
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)[..., None]
    return o
