# Right: o.split and q.split in parallel; results are written into views of o with copy_ and torch.mm(out=)
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    """Causal attention of a prompt, `chunk` queries at a time."""
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    if not n_q:
        return o
    seen = n_k - n_q
    for queries, results in zip(q.split(chunk), o.split(chunk)):
        rows = len(queries)
        seen += rows
        s = torch.mm(queries, k[:seen].T).mul_(scale)
        s[:, seen - rows :].masked_fill_(torch.ones(rows, rows, dtype=torch.bool).triu(1), -torch.inf)
        torch.mm(s.softmax(dim=-1), v[:seen], out=results)
    return o
