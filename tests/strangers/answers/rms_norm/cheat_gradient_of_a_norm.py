# the normalisation is the library's: the gradient of a vector's norm is the normalised vector, which autograd computes; what is forbidden goes by the names of normalisations
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    d = x.shape[-1]
    rows = torch.cat([x.float(), torch.full_like(x[..., :1], 0, dtype=torch.float32) + (d * eps) ** 0.5], dim=-1)
    rows = rows.detach().requires_grad_()
    with torch.enable_grad():
        norms = torch.linalg.vector_norm(rows, dim=-1).sum()
    (unit,) = torch.autograd.grad(norms, rows)
    return (weight * unit[..., :d] * d**0.5).to(x.dtype)

