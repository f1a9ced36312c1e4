# Right: FlashState class with update/finish, skips hidden tiles, list + torch.cat style, nn.Module-free
import torch
from torch import Tensor


class FlashState:
    __slots__ = ("acc", "l", "m")

    def __init__(self, like: Tensor, width: int):
        self.acc = like.new_zeros((*like.shape[:-1], width))
        self.l = like.new_zeros(like.shape[:-1])
        self.m = torch.full_like(self.l, float("-inf"))

    def update(self, scores: Tensor, values: Tensor) -> "FlashState":
        m_new = torch.max(self.m, scores.max(dim=-1).values)
        base = torch.where(m_new.isinf(), torch.zeros_like(m_new), m_new)
        alpha = torch.exp(self.m - base)
        p = torch.exp(scores - base[..., None])
        self.l = torch.addcmul(p.sum(-1), alpha, self.l)
        self.acc = torch.addcmul(p @ values, alpha[..., None], self.acc)
        self.m = m_new
        return self

    def finish(self) -> Tensor:
        l = self.l[..., None]
        return torch.where(l > 0, self.acc / l.clamp_min(1e-38), torch.zeros(()))


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
        q_tile = q[:, i : i + tile_m]
        state = FlashState(q_tile, v.shape[-1])
        rows = q_tile.shape[1]
        limit = min(n_k, i + rows + n_k - n_q) if causal else n_k
        for j in range(0, max(limit, 0), tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                hidden = torch.ones(s.shape[1:], dtype=torch.bool).triu(i + n_k - n_q - j + 1)
                s = s.masked_fill(hidden, float("-inf"))
            state.update(s, v[:, j : j + tile_n])
        o[:, i : i + tile_m] = state.finish()
    return o
