# No merging at all: strips of few queries get their whole rows of scores over all visited keys and one plain softmax, with the same memory as a block.
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
    o = q.new_empty(n_q, v.shape[1])
    L = q.new_empty(n_q)
    strip = max(1, -(-n_q // len(order)))
    for i in range(0, n_q, strip):
        part = q[i : i + strip]
        last = torch.arange(i, i + len(part))[:, None] + n_k - n_q
        scores = []
        for b in order:
            s = scale * (part @ k[b * tile_n : (b + 1) * tile_n].T)
            if causal:
                s.masked_fill_(torch.arange(b * tile_n, b * tile_n + s.shape[1]) > last, -torch.inf)
            scores.append(s)
        s = torch.cat(scores, dim=1)
        del scores
        m = s.amax(1, keepdim=True)
        shift = torch.where(m == -torch.inf, 0, m)
        s = s.sub_(shift).exp_()
        l = s.sum(1, keepdim=True)
        acc, at = q.new_zeros(len(part), v.shape[1]), 0
        for b in order:
            values = v[b * tile_n : (b + 1) * tile_n]
            acc += s[:, at : at + len(values)] @ values
            at += len(values)
        o[i : i + strip] = acc / torch.where(l == 0, 1, l)
        L[i : i + strip] = (m + torch.log(l))[:, 0]
    return o, L
