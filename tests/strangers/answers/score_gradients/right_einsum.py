# style: einsum and addcmul
import torch
from torch import Tensor


def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    ds = torch.einsum("mc,nc->mn", do, v)
    ds -= torch.einsum("mc,mc->m", o, do).unsqueeze(1)
    return ds.mul_(p)
