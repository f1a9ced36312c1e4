# Right within its contract: the last chunk slides back to have the full number of queries; those of the overlap are computed again
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    size = min(chunk, n_q)
    for i in range(0, n_q, max(size, 1)):
        first = min(i, n_q - size)
        end = first + size + n_k - n_q
        s = scale * (q[first : first + size] @ k[:end].T)
        s.masked_fill_(torch.arange(end) > torch.arange(end - size, end)[:, None], -torch.inf)
        o[first : first + size] = torch.softmax(s, dim=1) @ v[:end]
    return o
