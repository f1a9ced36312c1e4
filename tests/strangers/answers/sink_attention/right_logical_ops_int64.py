# Right: masks by torch.logical_and/or and broadcast_tensors, clamps the window to avoid overflow
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    """Causal attention to the last `window` tokens and to the first `sinks` ones."""
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    w, first = min(window, n_k), min(sinks, n_k)
    p, j = torch.broadcast_tensors(torch.arange(n_k - n_q, n_k)[:, None], torch.arange(n_k)[None, :])
    visible = torch.logical_and(j <= p, torch.logical_or(j > p - w, j < first))
    scores = torch.where(visible, torch.matmul(q, k.t()) * scale, float("-inf"))
    return torch.softmax(scores, dim=1) @ v
