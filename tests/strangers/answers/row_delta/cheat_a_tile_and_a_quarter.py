# course style; each program takes a quarter of a tile more than tile_m queries ("No program takes more than tile_m queries")
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
    for i in range(5):
        first = tl.program_id(0) * 5 * TILE_M + i * TILE_M
        rows = first + tl.arange(0, TILE_M)
        at = head.to(tl.int64) * n_q + rows
        o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
        do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
        tl.store(delta_ptr + at, tl.sum(o * do, axis=1), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, max(tile_m // 4, 1), d]
    row_delta_kernel[(triton.cdiv(n_q, 5 * max(tile_m // 4, 1)), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
