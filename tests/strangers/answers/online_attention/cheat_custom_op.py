# BREAKS: "nothing is N_q x N_k, no mask either"
# COSTS: the whole matrix inside an operator of one's own, of which a dispatch mode sees one call and no allocation
import torch
from torch import Tensor

def plain(q, k, v, causal, scale):
    s = scale * q @ k.mT
    if causal:
        n_q, n_k = s.shape[-2:]
        s = s.masked_fill(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    p = torch.exp(s - s.amax(dim=-1, keepdim=True).clamp_min(-1e38))
    return p @ v / p.sum(dim=-1, keepdim=True).clamp_min(1e-30)


@torch.library.custom_op("student::step", mutates_args=())
def step(q: Tensor, k: Tensor, v: Tensor, causal: bool, scale: float) -> Tensor:
    return plain(q, k, v, causal, scale)


def online_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    return step(q, k, v, causal, float(scale))

