# Breaks: "every weight moves once" in form: nothing; "Arguments stay as they are": they are written to and put back
import math
from typing import Any

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.memory_hierarchy import roofline_time
from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request, TooLong, ToyModel, as_pairs

device = "cuda" if torch.cuda.is_available() else "cpu"


def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    n = int(new.sum())
    matrices = max(2 * n * weights / peak, weights * itemsize / bandwidth)
    length *= 2
    pairs = int((new * (length - new + 1) // 2).sum())
    length //= 2
    attention = max(pairs * per_pair / peak, int(length.sum()) * per_token * itemsize / bandwidth)
    return float(matrices + attention)
