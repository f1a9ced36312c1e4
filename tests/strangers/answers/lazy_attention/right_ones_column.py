# style: compiler engineer: the denominator is one more column of V, tiles behind the diagonal are skipped, in-place updates of own memory
import torch
from torch import Tensor


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        rows = min(tile_m, n_q - i)
        q_tile = q[:, i : i + rows] * scale
        state = q.new_zeros(q.shape[0], rows, v.shape[-1] + 1)
        top = q.new_full((q.shape[0], rows, 1), -torch.inf)
        end = n_k if not causal else max(0, min(n_k, i + rows + n_k - n_q))
        for j in range(0, end, tile_n):
            width = min(tile_n, n_k - j)
            s = torch.einsum("hid,hjd->hij", q_tile, k[:, j : j + width])
            if causal:
                hidden = torch.ones(rows, width, dtype=torch.bool).triu(i + n_k - n_q - j + 1)
                s.masked_fill_(hidden, float("-inf"))
            new = torch.maximum(top, s.max(dim=-1, keepdim=True).values)
            unit = new.nan_to_num(neginf=0.0)
            state *= (top - unit).exp_()
            s.sub_(unit).exp_()
            state[..., :-1] += s @ v[:, j : j + width]
            state[..., -1:] += s.sum(-1, keepdim=True)
            top = new
        l = state[..., -1:]
        o[:, i : i + rows] = state[..., :-1] / l.masked_fill(l == 0, 1)
    return o
