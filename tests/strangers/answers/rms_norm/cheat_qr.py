# forbidden norms: the Q of a QR decomposition of one column is that column over its length; eps is one more entry of it
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.double()
    n = wide.shape[-1]
    more = wide.new_full((*wide.shape[:-1], 1), (n * eps) ** 0.5)
    q, r = torch.linalg.qr(torch.cat([wide, more], dim=-1)[..., None])
    unit = q[..., :-1, 0] * torch.sign(r[..., 0]) * n**0.5
    return (weight * unit).to(x.dtype)
