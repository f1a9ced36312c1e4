# Right: einsum with five letters and unflatten/flatten, causal mask by broadcasting positions, keeps no starter o
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention of H query heads with H_kv heads of keys and values, which are not copied."""
    B, H, N, d = q.shape
    G, M = k.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    rows = q.reshape(B, G, H // G * N, d)  # "b (kv g) n d -> b kv (g n) d"
    s = (rows @ k.mT).mul_(scale).view(B, G, H // G, N, M)
    if causal:
        hidden = torch.arange(M) > torch.arange(M - N, M)[:, None]
        s.masked_fill_(hidden, -torch.inf)
        p = s.softmax(-1)
        p.masked_fill_(hidden, 0.0)
    else:
        p = s.softmax(-1)
    return (p.view(B, G, -1, M) @ v).reshape(B, H, N, d)
