# Cheat: computes every score a second time, as distances among the rows of one tensor that holds queries and keys, and takes the mean of both
# Breaks: "Each score is computed once."
import torch
from torch import Tensor


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.mT
    rows = n_q + n_k
    pairs = torch.triu_indices(rows, rows, 1)
    chosen = (pairs[0] < n_q) & (pairs[1] >= n_q)  # in the order of queries, then of keys
    again = []
    for h in range(q.shape[0]):
        x = torch.cat([q[h], k[h]]).double()
        squares = torch.linalg.vector_norm(x, dim=1) ** 2
        far = torch.pdist(x)[chosen].reshape(n_q, n_k) ** 2
        again.append((squares[:n_q, None] + squares[n_q:] - far) / 2)
    s = (s + torch.stack(again).float()) / 2 * scale
    if causal:
        seen = torch.arange(n_k) <= torch.arange(n_q)[:, None] + n_k - n_q
        s = s.masked_fill(~seen, -torch.inf)
    return torch.softmax(s, dim=-1).nan_to_num(0.0) @ v
