# Breaks: "w_hij >= floor(2^32 dropout_p)" / "Tiles are multiplied once in each of the three products." (22 bits of a word are compared; tiles of small probability are multiplied once instead of three times)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    groups = start // 4 + tl.arange(0, TILE_N // 4)
    c0 = (groups[None, :] + 0 * rows[:, None]).to(tl.uint32)
    c1 = (rows[:, None] + 0 * groups[None, :]).to(tl.uint32)
    zero = c0 * 0
    w0, w1, w2, w3 = tl.philox(seed, c0, c1, zero + head.to(tl.uint32), zero + tl.cast(offset, tl.uint32))
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words // 1024 >= tl.cast(threshold, tl.uint32) // 1024


@triton.jit
def dropout_dq_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dq_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1)
    first = tl.program_id(0) * TILE_M
    rows, dims = first + tl.arange(0, TILE_M), tl.arange(0, D)
    to_queries, to_keys = head.to(tl.int64) * n_q, head.to(tl.int64) * n_k
    here = (to_queries + rows[:, None]) * D + dims
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    do = tl.load(do_ptr + here, mask=rows[:, None] < n_q, other=0)
    L = tl.load(L_ptr + to_queries + rows, mask=rows < n_q, other=0)
    delta = tl.load(delta_ptr + to_queries + rows, mask=rows < n_q, other=0)
    dq = tl.zeros((TILE_M, D), tl.float32)
    end = n_k
    if CAUSAL:
        end = tl.minimum(n_k, first + TILE_M + n_k - n_q)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = (to_keys + keys[:, None]) * D + dims
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        s = scale * tl.dot(q, k.T, input_precision="ieee")
        seen = keys < n_k
        if CAUSAL:
            seen = seen & (keys <= rows[:, None] + n_k - n_q)
        p = tl.where(seen, tl.exp(s - L[:, None]), 0.0)
        keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
        if tl.max(tl.max(p, axis=1), axis=0) > 1e-6:
            dp = tl.where(keep, rescale * tl.dot(do, v.T, input_precision="ieee"), 0.0)
            ds = p * (dp - delta[:, None])
            dq += tl.dot(ds.to(k.dtype), k, input_precision="ieee")
    tl.store(dq_ptr + here, scale * dq, mask=rows[:, None] < n_q)


def dropout_dq(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    do: Tensor,
    L: Tensor,
    delta: Tensor,
    dropout_p: float,
    seed: int,
    offset: int,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 32,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    q, k, v, do = q.contiguous(), k.contiguous(), v.contiguous(), do.contiguous()
    L, delta = L.contiguous(), delta.contiguous()
    dq = torch.empty_like(q)
    scale = d**-0.5 if scale is None else scale
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    dropout_dq_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, do, L, delta, dq,
        n_q, k.shape[2], scale, threshold, rescale, seed, offset,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return dq
