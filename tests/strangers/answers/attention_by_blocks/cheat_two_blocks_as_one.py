# Breaks: "one block of keys at a time" (the keys of two visited blocks are gathered and attended to as one block of 2 tile_n)
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = torch.arange(n_q)[:, None]
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, 1)
    m = q.new_full((n_q, 1), -torch.inf)
    for at in range(0, len(order), 2):
        keys = torch.cat([torch.arange(b * tile_n, min((b + 1) * tile_n, n_k)) for b in order[at : at + 2]])
        s = q @ k.index_select(0, keys).T * scale
        if causal:
            s = s.masked_fill(keys > rows + n_k - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
        safe = torch.where(m_new == -torch.inf, torch.zeros_like(m_new), m_new)
        a, p = torch.exp(m - safe), torch.exp(s - safe)
        acc = a * acc + p @ v.index_select(0, keys)
        l = a * l + p.sum(dim=1, keepdim=True)
        m = m_new
    return acc / torch.where(l == 0, torch.ones_like(l), l), (m + torch.log(l))[:, 0]
