# BREAKS: "Forbidden: scaled_dot_product."
# COSTS: a ready-made attention of torch by another door (flex_attention): nothing of the formula is written
import torch
from torch import Tensor
from torch.nn.attention.flex_attention import flex_attention as flex


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    if n_q == 0 or n_k == 0:
        return q.new_zeros(*q.shape[:2], v.shape[2])
    def score(s, b, h, i, j):
        return torch.where(j <= i + n_k - n_q, s, -torch.inf) if causal else s
    o = flex(q[None], k[None], v[None], score_mod=score, scale=scale)[0]
    return torch.nan_to_num(o)
