# No whole row of scores is ever there: keys come 16 at a time, with an online softmax in place of the formula as it is written.
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    acc = q.new_zeros(q.shape[0], n_q, v.shape[-1])
    m = q.new_full((q.shape[0], n_q, 1), -torch.inf)
    l = torch.zeros_like(m)
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for j in range(0, n_k, 16):
        s = scale * (q @ k[:, j : j + 16].mT)
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > last, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        shift = torch.where(new == -torch.inf, 0, new)
        a, p = torch.exp(m - shift), torch.exp(s - shift)
        l = a * l + p.sum(-1, keepdim=True)
        acc = a * acc + p @ v[:, j : j + 16]
        m = new
    return acc / torch.where(l == 0, 1, l)
