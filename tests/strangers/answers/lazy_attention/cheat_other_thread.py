# BREAKS: "Memory: the output and a few numbers for each entry of one tile"
# COSTS: plain attention with the whole N_q x N_k matrix, in a worker thread that carries no dispatch mode of its maker
import torch
from torch import Tensor
from concurrent.futures import ThreadPoolExecutor

def plain(q, k, v, causal, scale):
    s = scale * q @ k.mT
    if causal:
        n_q, n_k = s.shape[-2:]
        s = s.masked_fill(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    p = torch.exp(s - s.amax(dim=-1, keepdim=True).clamp_min(-1e38))
    return p @ v / p.sum(dim=-1, keepdim=True).clamp_min(1e-30)


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(plain, q, k, v, causal, scale).result()

