# style: torch.linalg.vecdot and in-place chain
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = torch.linalg.vecdot(do, o, dim=-1)
    ds = torch.matmul(do, v.mT)
    ds -= delta[:, None]
    ds *= p
    return ds
