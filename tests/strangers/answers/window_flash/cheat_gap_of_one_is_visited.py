# Breaks: "for each tile of queries no more of k and v than the tiles ... that hold a key which one of its queries sees" (where a single hidden tile lies between sinks and window it is not jumped over)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # counts the heads of all batches
    q_ptr += head // H * q_batch + head % H * q_head
    k_ptr += head // H * k_batch + head % H * k_head
    v_ptr += head // H * v_batch + head % H * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    real = rows < n_q
    q = tl.load(q_ptr + rows[:, None] * q_row + columns * q_column, mask=real[:, None], other=0.0)
    at = rows + n_k - n_q
    low = first + n_k - n_q
    high = tl.minimum(low + TILE_M, n_k) - 1
    sink_tiles = tl.cdiv(tl.minimum(sinks, high + 1), TILE_N)
    begin = tl.maximum(low - window + 1, 0) // TILE_N
    stop = tl.cdiv(high + 1, TILE_N)
    gap = tl.maximum(begin - sink_tiles, 0)
    gap = tl.where((gap == 1) & (sink_tiles > 0), 0, gap)
    for i in range(0, stop - gap):
        j = tl.where(i < sink_tiles, i, i + gap) * TILE_N
        keys = j + tl.arange(0, TILE_N)
        there = keys < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns * k_column, mask=there[:, None], other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns * v_column, mask=there[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        near = (at[:, None] - keys[None, :] < window) | (keys[None, :] < sinks)
        seen = (keys[None, :] <= at[:, None]) & near & there[None, :]
        s = tl.where(seen, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(new == float("-inf"), 0.0, new)
        p = tl.exp2(s - shift[:, None])
        a = tl.exp2(m - shift)
        l = l * a + tl.sum(p, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    L = (m + tl.log2(l)) * 0.6931471805599453
    line = head * n_q + rows
    tl.store(o_ptr + line[:, None] * D + columns, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + line, L, mask=real)


def window_flash(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or (32 if q.dtype == torch.float32 else 64)
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
