# heads of the second sequence are read from the first where group is 1 (shows in MHA with a batch of two)
import math

import torch
from torch import Tensor

def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    """Back from packed rows to heads: the inverse of `pack_heads`.

    rows: (B, H_kv, N_q g, d) of any float dtype and strides; heads: the number H = g H_kv of
    query heads.
    Returns o (B, H, N_q, d), same dtype: position i of head h is row i g + h % g of KV head
    h // g.
    Arguments stay as they are.
    """
    batch, kv_heads, rows_of_group, d = rows.shape
    group = heads // kv_heads
    if group == 1:
        return rows[:1].expand(batch, -1, -1, -1).clone()
    return torch.stack([rows[:, h // group, h % group :: group] for h in range(heads)], 1)
