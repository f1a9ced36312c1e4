# Functional: zip over split chunks, a nested step function and addcmul, chunks from torch.split.
import torch
from torch import Tensor


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last = torch.arange(n_k - n_q, n_k).unsqueeze(1)

    def step(state, begin, keys, values):
        o, m, l = state
        s = q.mm(keys.t()).mul(scale)
        if causal:
            s = s.where(torch.arange(begin, begin + len(keys)) <= last, -torch.inf)
        top = m.maximum(s.amax(1, keepdim=True))
        base = top.nan_to_num(neginf=0.0, posinf=torch.inf)
        p, old = s.sub(base).exp(), m.sub(base).exp().mul(l)
        total = old + p.sum(1, keepdim=True)
        safe = total + total.eq(0)
        return (old / safe).mul(o).addmm(p / safe, values), top, total

    state = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    if n_k == 0:
        return state[0]
    begin = 0
    for keys, values in zip(k.split(tile_n), v.split(tile_n)):
        state = step(state, begin, keys, values)
        begin += len(keys)
    return state[0]
