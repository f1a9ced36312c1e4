# BREAKS: "The next chunk continues from the normalised output."
# COSTS: no chunk, no online softmax: plain softmax of whole rows, a few queries at a time, within the same memory and operations
import torch
from torch import Tensor


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    step = max(1, n_q * tile_n // n_k)
    for i in range(0, n_q, step):
        s = scale * q[i : i + step] @ k.mT
        if causal:
            s.masked_fill_(torch.arange(n_k) > torch.arange(i, i + len(s))[:, None] + n_k - n_q, -torch.inf)
        s -= s.amax(dim=-1, keepdim=True).clamp_min(-1e38)
        s.exp_()
        o[i : i + step] = s @ v / s.sum(dim=-1, keepdim=True).clamp_min(1e-30)
    return o
