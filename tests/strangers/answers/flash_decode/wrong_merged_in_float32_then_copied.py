# wrong (asked for allocation and views only): converts the merged output by a torch copy, so o exists twice
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor



def flash_decode(q, k, v, lengths, scale=None, slots=264, tile_n=64):
    most = min(128, max(1, k.shape[2] // 256))
    s = number_of_splits(q.shape[0] * k.shape[1], slots, most)
    o, L = combine_splits(*split_decode(q, k, v, lengths, s, scale, tile_n))
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    out.copy_(o)
    return out, L
