# Wrong: a chunk gets the keys up to its own end in q, as if no earlier tokens were cached, and aligns its mask to them.
# Breaks: "query i, at position i + N_k - N_q, sees every key up to its own."
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    """Causal attention of a prompt, `chunk` queries at a time.

    q: (N_q, d), k: (N_k, d), v: (N_k, d_v) float32, N_q <= N_k: the queries are the last N_q of
    the N_k tokens, those before them are cached already. N_q = 0: there is nothing left to do.
    chunk: the most consecutive queries at a time.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (N_q, d_v), same dtype: query i, at position i + N_k - N_q, sees every key up to
    its own. The same for every chunk size.
    Memory: beside the output a few matrices of chunk x N_k numbers. Torch runs at most 40
    operations for each chunk of queries, and 40 more for every `chunk` keys that it may see.
    Each score of a chunk is computed once, hidden ones too, at most an eighth of them twice.
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, chunk):
        rows = q[i : i + chunk]
        end = i + len(rows) if n_q == n_k else min(n_k, i + chunk)
        s = scale * rows @ k[:end].T
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(end - len(rows) + 1), -torch.inf)
        o[i : i + chunk] = torch.softmax(s, dim=1) @ v[:end]
    return o
