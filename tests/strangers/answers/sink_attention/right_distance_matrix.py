# A matrix of distances between positions, window and sinks as two conditions joined by |.
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    j = torch.arange(n_k).expand(n_q, n_k)
    back = torch.arange(n_k - n_q, n_k).unsqueeze(1) - j
    seen = (back >= 0) & ((back < min(window, n_k)) | (j < min(sinks, n_k)))
    s = torch.einsum("id,jd->ij", q, k).mul(scale)
    return s.masked_fill(seen.logical_not(), -torch.inf).softmax(dim=1).mm(v)
