# BREAKS: "Beside launching its kernels this function may only allocate and take views, clone."
# COSTS: delta is computed by torch (vecdot) and not by row_delta's kernel: a float32 copy of o and of do in memory
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
    delta = torch.linalg.vecdot(o.to(torch.float32), do.to(torch.float32))
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, dk, dv
