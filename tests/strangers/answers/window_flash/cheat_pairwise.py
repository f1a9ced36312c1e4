# The tiles are visited one key at a time in the loop's counter (N steps for each program); only each tile's first key does anything.
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
):
    head = tl.program_id(1).to(tl.int64)
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
    q = tl.load(q_ptr + rows[:, None] * q_row + columns[None, :] * q_column, mask=real[:, None], other=0)
    place = rows + n_k - n_q
    for step in range(0, n_k):
        start = step // TILE_N * TILE_N
        keys = start + tl.arange(0, TILE_N)
        there = keys < n_k
        near = (keys[None, :] > place[:, None] - window) | (keys[None, :] < sinks)
        seen = near & (keys[None, :] <= place[:, None]) & there[None, :] & real[:, None]
        if (step == start) & (tl.sum(tl.sum(seen.to(tl.int32), axis=1), axis=0) > 0):
            k = tl.load(k_ptr + keys[:, None] * k_row + columns[None, :] * k_column, mask=there[:, None], other=0)
            v = tl.load(v_ptr + keys[:, None] * v_row + columns[None, :] * v_column, mask=there[:, None], other=0)
            s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
            s = tl.where(seen, s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            safe = tl.where(new == float("-inf"), 0.0, new)
            p = tl.exp2(s - safe[:, None])
            fix = tl.exp2(m - safe)
            l = l * fix + tl.sum(p, axis=1)
            acc = acc * fix[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    some = tl.where(l == 0, 1.0, l)
    there_o = (head * n_q + rows)[:, None] * D + columns[None, :]
    tl.store(o_ptr + there_o, (acc / some[:, None]).to(o_ptr.dtype.element_ty), mask=real[:, None])
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(some)) * 0.6931471805599453, mask=real)


def window_flash(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int = 0, scale: float | None = None,
    tile_m: int | None = None, tile_n: int | None = None,
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
    )
    return o, L
