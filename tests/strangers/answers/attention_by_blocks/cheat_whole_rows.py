# BREAKS: "one block of keys at a time"
# COSTS: no blocks and no merging: whole rows of scores for groups of queries, as many as a block has room for; needs no maximum, no denominator, no order
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
    scale = q.shape[1] ** -0.5 if scale is None else scale
    n_q, n_k = len(q), len(k)
    seen = torch.zeros(-(-n_k // tile_n), dtype=torch.bool)
    seen[torch.tensor(order)] = True
    seen = seen.repeat_interleave(tile_n)[:n_k]
    o, L = q.new_empty(n_q, v.shape[1]), q.new_empty(n_q)
    first, last = min(order) * tile_n, min(n_k, (max(order) + 1) * tile_n)
    whole = bool(seen[first:last].all())
    runs = [(first, last)] if whole else [(b * tile_n, min(n_k, b * tile_n + tile_n)) for b in order]
    step = max(1, n_q * tile_n // (last - first))
    for i in range(0, n_q, step):
        rows = q[i : i + step]
        s = torch.cat([rows @ k[a:b].mT for a, b in runs], dim=1) * scale
        if causal:
            keys = torch.cat([torch.arange(a, b) for a, b in runs])
            s.masked_fill_(keys > torch.arange(i, i + len(rows))[:, None] + n_k - n_q, -torch.inf)
        m = s.amax(dim=-1)
        s = s.sub_(m.masked_fill(m == -torch.inf, 0)[:, None]).exp_()
        l = s.sum(dim=-1)
        parts = s.split([b - a for a, b in runs], dim=1)
        out = sum(p @ v[a:b] for p, (a, b) in zip(parts, runs))
        o[i : i + step] = out / l.masked_fill(l == 0, 1)[:, None]
        L[i : i + step] = m + torch.log(l)
    return o, L
