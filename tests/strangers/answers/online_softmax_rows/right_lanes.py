# Right: as torch.compile writes it: each lane has a running maximum and sum, merged after the loop.
import torch
import triton
import triton.language as tl


@triton.jit
def zero_if_empty(m):
    return tl.where(m == float("-inf"), 0.0, m)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, row_stride, col_stride, cols, TILE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * row_stride
    y_ptr += row * cols
    lane = tl.arange(0, TILE)
    m_lane = tl.full((TILE,), float("-inf"), tl.float32)
    l_lane = tl.zeros((TILE,), tl.float32)
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m_lane, x)
        base = zero_if_empty(m_new)
        l_lane = l_lane * tl.exp(m_lane - base) + tl.exp(x - base)
        m_lane = m_new
    m = tl.max(m_lane, axis=0)
    shift = zero_if_empty(m)
    l = tl.sum(l_lane * tl.exp(m_lane - shift), axis=0)
    inverse = tl.where(l > 0, 1.0 / l, 0.0)
    for start in range(0, cols, TILE):
        j = start + lane
        x = tl.load(x_ptr + j * col_stride, mask=j < cols, other=float("-inf")).to(tl.float32)
        tl.store(y_ptr + j, tl.exp(x - shift) * inverse, mask=j < cols)


def online_softmax_rows(x, tile=None):
    rows, cols = x.shape
    longest = 32768
    if tile is None:
        if cols <= longest:
            return fused_softmax(x)
        tile = longest
    y = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    online_softmax_kernel[(rows,)](
        x, y, x.stride(0), x.stride(1), cols, TILE=tile, num_warps=min(max(tile // 512, 4), 32)
    )
    return y
