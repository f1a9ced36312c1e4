# The last tile of a row stays in registers from the first pass to the second; all others are read twice.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def _safe(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    """The last tile stays in registers, all others are read a second time."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    j = tl.arange(0, TILE)
    whole = (cols - 1) // TILE * TILE  # where the last tile begins
    # begin with the last tile: m and l are tensors from the start
    last = tl.load(x_ptr + (whole + j) * col_stride, mask=whole + j < cols, other=float("-inf")).to(tl.float32)
    m = tl.max(last, 0)
    l = tl.sum(tl.exp(last - _safe(m)), 0)
    for start in tl.range(0, whole, TILE):
        x = tl.load(x_ptr + (start + j) * col_stride).to(tl.float32)  # whole tiles need no mask
        m_new = tl.maximum(m, tl.max(x, 0))
        l = l * tl.exp(m - _safe(m_new)) + tl.sum(tl.exp(x - _safe(m_new)), 0)
        m = m_new
    shift = _safe(m)
    l = tl.where(l == 0, 1.0, l)
    tl.store(y_ptr + whole + j, tl.exp(last - shift) / l, mask=whole + j < cols)
    for start in tl.range(0, whole, TILE):
        x = tl.load(x_ptr + (start + j) * col_stride).to(tl.float32)
        tl.store(y_ptr + start + j, tl.exp(x - shift) / l)


def online_softmax_rows(x: Tensor, tile: int | None = None) -> Tensor:
    assert x.dim() == 2
    if tile is None:
        if x.shape[1] <= 32768:
            return fused_softmax(x)
        tile = 32768
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    online_softmax_kernel[(x.shape[0],)](
        x, y, *x.stride(), x.shape[1], TILE=tile, num_warps=max(4, min(32, tile // 512))
    )
    return y
