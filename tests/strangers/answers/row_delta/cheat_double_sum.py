# Cheat: products and sums in float64, so that no order of summing can be told from another and no rounding shows.
# Breaks: "Returns delta (B, H, N_q) float32, summed in float32."
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float64)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float64)
    tl.store(delta_ptr + at, tl.sum(o * do, axis=1).to(tl.float32), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
