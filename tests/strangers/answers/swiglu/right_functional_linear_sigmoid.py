# Right: torch.nn.functional.linear and torch.sigmoid, operator.mul and a pipeline of partials
from functools import partial, reduce
from operator import mul

import torch
import torch.nn.functional as F
from torch import Tensor


def swiglu(x: Tensor, w_gate: Tensor, w_up: Tensor, w_down: Tensor) -> Tensor:
    """The layer of a Llama model that treats every token for itself."""
    gate, up, down = (partial(F.linear, weight=w) for w in (w_gate, w_up, w_down))
    z = gate(x)
    return down(reduce(mul, (z, torch.sigmoid(z), up(x))))
