# powers and memory ("one block of keys at a time"): up to three blocks that follow each other in the order are one, whose exponentials alone are taken a block at a time
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    blocks = list(order)
    while blocks:
        first = blocks.pop(0)
        stop = first + 1
        while blocks and blocks[0] == stop and stop - first < 3:
            stop = blocks.pop(0) + 1
        start, end = first * tile_n, min(stop * tile_n, n_k)
        s = (q @ k[start:end].T).mul_(scale)
        if causal:
            s.masked_fill_(torch.arange(start, end) > last_seen, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        s.sub_(shift[:, None])
        for part in s.split(tile_n, dim=1):
            part.exp_()
        past = l * torch.exp(m - shift)
        l = past + s.sum(dim=-1)
        whole = torch.where(l == 0, 1, l)
        o = (past / whole)[:, None] * o + (s @ v[start:end]) / whole[:, None]
        m = m_new
    return o, m + torch.log(l)
