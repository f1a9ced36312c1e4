# BREAKS: "o and do are loaded once, delta is stored once"
# COSTS: delta is summed in memory: an atomic read-modify-write for every 16 columns in place of one store
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor
from kernels import causal_flash


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    column = tl.arange(0, D)
    tl.store(delta_ptr + at, tl.sum(tl.where(column < 16, o * do, 0.0), axis=1), mask=rows < n_q)
    for c in range(16, D, 16):
        part = tl.sum(tl.where((column >= c) & (column < c + 16), o * do, 0.0), axis=1)
        tl.atomic_add(delta_ptr + at, part, mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
