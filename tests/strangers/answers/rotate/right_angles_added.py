# right: a table of 64 positions, and the angle of every 64th added to it, in 64 bits
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    wide = frequencies.double()
    low = torch.arange(64)[:, None] * wide
    high = (positions // 64 * 64)[:, None] * wide
    cl, sl = low.cos()[positions % 64], low.sin()[positions % 64]
    ch, sh = high.cos(), high.sin()
    cos, sin = (ch * cl - sh * sl).float(), (sh * cl + ch * sl).float()
    first, second = x.float().chunk(2, dim=-1)
    turned = [first * cos - second * sin, second * cos + first * sin]
    return torch.cat(turned, dim=-1).to(x.dtype)
