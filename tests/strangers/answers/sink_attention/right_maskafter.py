# Right within its contract: Exponentials of all hidden scores are taken too and multiplied by 0 afterwards, instead of masking the scores before the softmax.
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    i, j = torch.arange(n_k - n_q, n_k)[:, None], torch.arange(n_k)
    seen = (j <= i) & ((j > i - min(window, n_k)) | (j < min(sinks, n_k)))
    s = (q * scale) @ k.T
    top = s.masked_fill(~seen, -torch.inf).amax(1, keepdim=True) if n_q else s
    e = torch.exp(s.clamp(max=3e38) - top).clamp(max=3e30) * seen
    return (e @ v) / e.sum(1, keepdim=True)
