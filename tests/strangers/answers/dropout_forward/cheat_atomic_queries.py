# BREAKS: "Traffic: q is loaded once"
# COSTS: queries are read again from memory for every tile of keys, by an atomic
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def dropout_forward_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1)
    first = tl.program_id(0) * TILE_M
    rows, dims = first + tl.arange(0, TILE_M), tl.arange(0, D)
    to_queries, to_keys = head.to(tl.int64) * n_q, head.to(tl.int64) * n_k
    here = (to_queries + rows[:, None]) * D + dims
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
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
        s = tl.where(seen, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        to = tl.where(new == float("-inf"), 0.0, new)
        alpha = tl.exp(m - to)
        p = tl.exp(s - to[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
        p = tl.where(keep, p * rescale, 0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
        q = tl.atomic_add(q_ptr + here, tl.zeros((TILE_M, D), q.dtype), mask=rows[:, None] < n_q)
        q = tl.where(rows[:, None] < n_q, q, 0)
    o = acc / tl.where(l == 0, 1, l)[:, None]
    tl.store(o_ptr + here, o, mask=rows[:, None] < n_q)
    tl.store(L_ptr + to_queries + rows, m + tl.log(l), mask=rows < n_q)


def dropout_forward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: float,
    seed: int,
    offset: int,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 32,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    o = torch.empty_like(q)
    L = q.new_empty((batch, heads, n_q), dtype=torch.float32)
    scale = d**-0.5 if scale is None else scale
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    dropout_forward_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], scale, threshold, rescale, seed, offset,
        CAUSAL=causal, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
