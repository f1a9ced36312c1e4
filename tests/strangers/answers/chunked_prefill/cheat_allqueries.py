# Takes all queries at once and walks over the keys in pieces of `chunk` instead of taking `chunk` queries at a time.
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    if n_q == 0:
        return q.new_zeros(0, v.shape[1])
    x = q * scale
    o = q.new_zeros(n_q, v.shape[1])
    l = q.new_zeros(n_q, 1)
    m = q.new_full((n_q, 1), -torch.inf)
    position = torch.arange(n_k - n_q, n_k)[:, None]
    for j in range(0, n_k, chunk):
        e = min(j + chunk, n_k)
        first = max(0, j - (n_k - n_q))  # queries before see none of these keys
        s = x[first:] @ k[j:e].T
        s.masked_fill_(torch.arange(j, e) > position[first:], -torch.inf)
        new = torch.maximum(m[first:], s.amax(1, keepdim=True))
        p = torch.exp(s - new)
        fix = torch.exp(m[first:] - new)
        l[first:] = l[first:] * fix + p.sum(1, keepdim=True)
        o[first:] = o[first:] * fix + p @ v[j:e]
        m[first:] = new
    return o / l
