# style: torch.logical_and / logical_or, sparse prints in comments
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    p = torch.arange(n_k - n_q, n_k).unsqueeze(1)
    j = torch.arange(n_k).unsqueeze(0)
    causal = torch.le(j, p)
    near = torch.gt(j, p - window)
    sink = torch.lt(j, sinks)
    seen = torch.logical_and(causal, torch.logical_or(near, sink))
    # print(seen.int())
    scores = torch.where(seen, (q @ k.T) * scale, torch.tensor(float("-inf")))
    return scores.softmax(dim=-1) @ v
