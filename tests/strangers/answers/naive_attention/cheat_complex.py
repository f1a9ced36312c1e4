# BREAKS: "Each score is computed once."
# COSTS: a complex product does each real product four times (and S twice as large); a counter of pairs sees one
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * torch.complex(q, q) @ torch.complex(k, torch.zeros_like(k)).mT
    s = (s.real + s.imag) / 2
    if causal:
        s = s.masked_fill(torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1), -torch.inf)
    m = s.amax(dim=-1, keepdim=True)
    p = torch.exp(s - m.masked_fill(m == -torch.inf, 0))
    l = p.sum(dim=-1, keepdim=True)
    return p @ v / l.masked_fill(l == 0, 1)
