# course style; "no load holds more than one tile": one holds two of keys, as whole numbers of 64 bits, each of two numbers or four; what counts is how many lanes a load has
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

@triton.jit
def numbers_of(words, PER: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, dtype: tl.constexpr):
    if PER == 2:
        low = words.to(tl.int32).to(dtype, bitcast=True)
        high = (words >> 32).to(tl.int32).to(dtype, bitcast=True)
        return tl.reshape(tl.join(low, high), (ROWS, D))
    a = words.to(tl.int16).to(dtype, bitcast=True)
    b = (words >> 16).to(tl.int16).to(dtype, bitcast=True)
    c = (words >> 32).to(tl.int16).to(dtype, bitcast=True)
    d = (words >> 48).to(tl.int16).to(dtype, bitcast=True)
    return tl.reshape(tl.join(tl.join(a, c), tl.join(b, d)), (ROWS, D))


@triton.jit
def one_of(words, g, GROUPS: tl.constexpr, ROWS: tl.constexpr, W: tl.constexpr):
    tiles = tl.reshape(words, (GROUPS, ROWS, W))
    return tl.sum(tl.where(tl.arange(0, GROUPS)[:, None, None] == g, tiles, 0), axis=0)


@triton.jit
def wide_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr, PER: tl.constexpr,
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
    here = head * n_q + rows
    q = tl.load(q_ptr + rows[:, None] * q_row + columns * q_column, mask=real[:, None], other=0)
    last = rows + n_k - n_q
    end = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    oldest = tl.maximum(first + n_k - n_q - window + 1, 0)
    sink_tiles = tl.cdiv(sinks, TILE_N)
    hidden = tl.maximum(oldest // TILE_N - sink_tiles, 0)
    W: tl.constexpr = D // PER
    words = tl.arange(0, W)
    k_words = k_ptr.to(tl.pointer_type(tl.int64))
    v_words = v_ptr.to(tl.pointer_type(tl.int64))
    visits = tl.cdiv(end, TILE_N) - hidden
    for pair in range(0, visits, 2):
        number = pair + tl.arange(0, 2 * TILE_N) // TILE_N
        many = tl.where(number < sink_tiles, number, number + hidden) * TILE_N
        many += tl.arange(0, 2 * TILE_N) % TILE_N
        held = (many[:, None] < n_k) & (number[:, None] < visits)
        ks = tl.load(k_words + many[:, None] * (k_row // PER) + words, mask=held, other=0)
        vs = tl.load(v_words + many[:, None] * (v_row // PER) + words, mask=held, other=0)
        for g in range(0, 2):
            if pair + g < visits:
                start = tl.where(pair + g < sink_tiles, pair + g, pair + g + hidden) * TILE_N
                keys = start + tl.arange(0, TILE_N)
                k = numbers_of(one_of(ks, g, 2, TILE_N, W), PER, TILE_N, D, q.dtype)
                v = numbers_of(one_of(vs, g, 2, TILE_N, W), PER, TILE_N, D, q.dtype)
                s = tl.dot(q, k.T, input_precision="ieee") * scale_2
                near = keys > last[:, None] - window
                s = tl.where((keys <= last[:, None]) & (near | (keys < sinks)), s, float("-inf"))
                m_new = tl.maximum(m, tl.max(s, axis=1))
                shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
                alpha = tl.exp2(m - shift)
                p = tl.exp2(s - shift[:, None])
                l = alpha * l + tl.sum(p, axis=1)
                acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
                m = m_new
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=real)




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
    here = head * n_q + rows
    q = tl.load(q_ptr + rows[:, None] * q_row + columns * q_column, mask=real[:, None], other=0)
    last = rows + n_k - n_q
    end = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    oldest = tl.maximum(first + n_k - n_q - window + 1, 0)
    sink_tiles = tl.cdiv(sinks, TILE_N)
    hidden = tl.maximum(oldest // TILE_N - sink_tiles, 0)
    for i in range(tl.cdiv(end, TILE_N) - hidden):
        start = tl.where(i < sink_tiles, i, i + hidden) * TILE_N
        keys = start + tl.arange(0, TILE_N)
        held = keys[:, None] < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns * k_column, mask=held, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns * v_column, mask=held, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        near = keys > last[:, None] - window
        s = tl.where((keys <= last[:, None]) & (near | (keys < sinks)), s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


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
    per = 8 // q.element_size()
    steps = (*k.stride()[:3], *v.stride()[:3], k.storage_offset(), v.storage_offset())
    if k.stride(3) == v.stride(3) == 1 and not any(step % per for step in steps):
        wide_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
            q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
            *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n, PER=per,
        )  # fmt: skip
        return o, L
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
