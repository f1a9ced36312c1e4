# Right: zip of q.split and o.split, scores only up to the last visible key, triu_ mask built per chunk, torch.softmax
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    if n_q == 0:
        return o
    past = n_k - n_q
    for q_c, o_c in zip(q.split(chunk), o.split(chunk)):
        n, seen = len(q_c), past + len(q_c)
        s = (q_c @ k[:seen].T).mul_(scale)
        hidden = torch.ones(n, n, dtype=torch.bool).triu_(1)
        s[:, past:].masked_fill_(hidden, -torch.inf)
        torch.mm(s.softmax(dim=-1), v[:seen], out=o_c)
        past = seen
    return o
