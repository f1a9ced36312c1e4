# Style: einsum; rows of any number of axes, and a division by the root.
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.float()
    mean_square = torch.einsum("...c,...c->...", wide, wide) / x.shape[-1]
    y = torch.einsum("...c,c->...c", wide, weight) / torch.sqrt(mean_square + eps).unsqueeze(-1)
    return y.type_as(x)
