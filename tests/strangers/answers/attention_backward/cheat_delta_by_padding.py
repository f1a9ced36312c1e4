# BREAKS: "Memory: these, delta, and copies of what is not contiguous."
# COSTS: everything is cloned before it is used, contiguous or not: twice the memory and traffic of all inputs
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor
from kernels import causal_flash


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    q, k, v, o, do = (x.clone(memory_format=torch.contiguous_format) for x in (q, k, v, o, do))
    delta = row_delta(o, do)
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, *key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
