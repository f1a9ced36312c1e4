# Right: mask as a bool expression of positions, torch.where with -inf, min() against overflow, aten softmax
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = (min(x, n_k) for x in (window, sinks))
    kv_idx = torch.arange(n_k)
    q_idx = kv_idx[n_k - n_q :, None]

    def causal(i, j):
        return j <= i

    def near_or_sink(i, j):
        return (i - j < window) | (j < sinks)

    mask_mod = (causal, near_or_sink)  # as in flex_attention's and_masks
    keep = torch.stack([f(q_idx, kv_idx) for f in mask_mod]).all(dim=0)
    scores = torch.where(keep, (q @ k.mT) * scale, -torch.inf)
    return torch.softmax(scores, dim=-1) @ v
