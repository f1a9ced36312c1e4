# sharing: tiles of 1024 rows whatever tile_m is, so that few programs do all the work
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def row_delta_kernel(o_ptr, do_ptr, delta_ptr, rows, D, TILE_M: tl.constexpr, WIDE: tl.constexpr):
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    column = tl.arange(0, WIDE)
    at = row[:, None].to(tl.int64) * D + column
    real = (row[:, None] < rows) & (column < D)
    o = tl.load(o_ptr + at, mask=real, other=0).to(tl.float32)
    do = tl.load(do_ptr + at, mask=real, other=0).to(tl.float32)
    tl.store(delta_ptr + row, tl.sum(o * do, axis=1), mask=row < rows)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    rows, d = delta.numel(), o.shape[3]
    row_delta_kernel[(triton.cdiv(rows, 1024),)](
        o.contiguous(), do.contiguous(), delta, rows, d, TILE_M=1024, WIDE=triton.next_power_of_2(d)
    )
    return delta
