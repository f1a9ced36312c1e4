# A loop over more tiles than it works on: every program walks over all tiles from key 0 on and asks for each whether somebody sees it: turns that grow with N_k, though the window does not
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


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
    q = tl.load(q_ptr + rows.to(tl.int64)[:, None] * q_row + columns * q_column, mask=rows[:, None] < n_q, other=0)
    at = tl.minimum(rows, n_q - 1) + n_k - n_q
    low = tl.min(at, axis=0) - window
    high = tl.max(at, axis=0)
    for start in range(0, n_k, TILE_N):
        if (start <= high) & ((start + TILE_N - 1 > low) | (start < sinks)):
            keys = start + tl.arange(0, TILE_N)
            k = tl.load(k_ptr + keys.to(tl.int64)[:, None] * k_row + columns * k_column, mask=keys[:, None] < n_k, other=0)
            v = tl.load(v_ptr + keys.to(tl.int64)[:, None] * v_row + columns * v_column, mask=keys[:, None] < n_k, other=0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            seen = (keys <= at[:, None]) & ((keys > at[:, None] - window) | (keys < sinks))
            s = tl.where(seen, s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            to = tl.where(new == float("-inf"), 0.0, new)
            alpha = tl.exp2(m - to)
            p = tl.exp2(s - to[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    o = acc / l[:, None]
    tl.store(o_ptr + (head * n_q + rows[:, None]) * D + columns, o, mask=rows[:, None] < n_q)
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


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
