# Honest: einsum, in-place operations, tril of ones, division written out.
import torch
from torch import Tensor



def naive_attention(q, k, v, causal=False, scale=None):
    *_, d = q.shape
    factor = d ** -0.5 if scale is None else scale
    weights = torch.einsum("hic,hjc->hij", q, k).mul_(factor)
    if causal:
        rows, columns = weights.shape[1:]
        visible = torch.ones(rows, columns, dtype=torch.bool).tril_(columns - rows)
        weights.masked_fill_(visible.logical_not_(), float("-inf"))
    peak = weights.amax(-1, keepdim=True).clamp_(min=torch.finfo(q.dtype).min)
    weights.sub_(peak).exp_()
    mass = weights.sum(-1, keepdim=True)
    weights.div_(mass.masked_fill_(mass == 0, 1.0))
    return torch.einsum("hij,hjc->hic", weights, v)
