# Honest: by torch.linalg.vector_norm, with an inner function and a warnings filter.
import warnings

import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    def root_mean_square(rows: Tensor) -> Tensor:
        n = rows.shape[-1]
        return (torch.linalg.vector_norm(rows, dim=-1, keepdim=True).square() / n + eps).sqrt()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wide = x.to(torch.float32)
        return wide.div(root_mean_square(wide)).mul_(weight).type_as(x)
