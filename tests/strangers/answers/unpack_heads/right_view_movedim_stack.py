# Right: strided slices of the rows for each head of the group, stacked
import torch
from torch import Tensor


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    """Back from packed rows to heads: the inverse of `pack_heads`."""
    g = heads // rows.size(1)
    per_head = [rows[:, :, first::g] for first in range(g)]  # each (B, H_kv, N_q, d)
    return torch.stack(per_head, dim=2).flatten(start_dim=1, end_dim=2)
