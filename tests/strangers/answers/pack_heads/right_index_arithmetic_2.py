# Style: a compiler engineer who writes the index formula of the docstring down as a gather.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    g = q.shape[1] // kv_heads
    r = torch.arange(q.shape[2] * g)
    head = torch.arange(kv_heads)[:, None] * g + r % g  # (H_kv, N_q g)
    position = (r // g).expand_as(head)
    return q[:, head, position]
