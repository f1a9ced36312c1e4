# Breaks: "dropout_p, seed, offset ...: what the forward pass was given", "w_hij >= floor(2^32 dropout_p)" (22 bits of each word are compared); "Tiles are multiplied once": those that drop out whole are left out
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
def dropout_dkdv_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dk_ptr, dv_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1)
    first = tl.program_id(0) * TILE_N
    keys, dims = first + tl.arange(0, TILE_N), tl.arange(0, D)
    to_queries, to_keys = head.to(tl.int64) * n_q, head.to(tl.int64) * n_k
    there = (to_keys + keys[:, None]) * D + dims
    k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
    v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
    dk = tl.zeros((TILE_N, D), tl.float32)
    dv = tl.zeros((TILE_N, D), tl.float32)
    begin = 0
    if CAUSAL:
        begin = tl.maximum(0, first + n_q - n_k) // TILE_M * TILE_M
    for start in range(begin, n_q, TILE_M):
        rows = start + tl.arange(0, TILE_M)
        here = (to_queries + rows[:, None]) * D + dims
        q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
        do = tl.load(do_ptr + here, mask=rows[:, None] < n_q, other=0)
        L = tl.load(L_ptr + to_queries + rows, mask=rows < n_q, other=0)
        delta = tl.load(delta_ptr + to_queries + rows, mask=rows < n_q, other=0)
        # Everything is transposed: keys down, queries across.
        s = scale * tl.dot(k, q.T, input_precision="ieee")
        seen = rows < n_q
        if CAUSAL:
            seen = seen & (keys[:, None] <= rows + n_k - n_q)
        p = tl.where(seen, tl.exp(s - L), 0.0)
        keep = tl.trans(keep_tile(seed, offset, head, rows, first, threshold, TILE_N))
        dropped = tl.where(keep, rescale * p, 0.0)
        if tl.max(tl.max(p, axis=1), axis=0) > 1e-6:
            dv += tl.dot(dropped.to(do.dtype), do, input_precision="ieee")
            dp = tl.where(keep, rescale * tl.dot(v, do.T, input_precision="ieee"), 0.0)
            ds = p * (dp - delta)
            dk += tl.dot(ds.to(q.dtype), q, input_precision="ieee")
    tl.store(dk_ptr + there, scale * dk, mask=keys[:, None] < n_k)
    tl.store(dv_ptr + there, dv, mask=keys[:, None] < n_k)


def dropout_dkdv(
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
    tile_m: int = 32,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    q, k, v, do = q.contiguous(), k.contiguous(), v.contiguous(), do.contiguous()
    L, delta = L.contiguous(), delta.contiguous()
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    scale = d**-0.5 if scale is None else scale
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    dropout_dkdv_kernel[(triton.cdiv(k.shape[2], tile_n), batch * heads)](
        q, k, v, do, L, delta, dk, dv,
        n_q, k.shape[2], scale, threshold, rescale, seed, offset,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return dk, dv
