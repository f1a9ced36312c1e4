# style: mask multiplied as a float, as in the paper (Z)
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def dropout_dq_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dq_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: TILE_M queries of one head meet all the keys that they see."""
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
        z = keep.to(tl.float32) * rescale
        dp = tl.dot(do, v.T, input_precision="ieee") * z
        ds = p * (dp - delta[:, None])
        dq = tl.dot(ds.to(k.dtype), k, dq, input_precision="ieee")
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
    """The gradient of the queries of `dropout_forward`, with its mask recomputed.

    q, k, v, do, L, delta, dropout_p, seed, offset, causal, scale, tile_m, tile_n: as in
    `dropout_dkdv`.
    Returns dq (B, H, N_q, d), same dtype; 0 for a query that sees no key. Sums are float32; on
    the way only P and dS may be rounded to 16 bits, nothing to TF32.
    Traffic: q, do, L and delta are loaded once, k and v once for each tile of queries. In one
    launch, one program for each tile of consecutive queries of a head; no load holds more than
    two tiles of queries or keys, and no product more than one of each. Tiles are multiplied
    once in each of the three products. A score takes one exponential. Memory: dq, copies of
    what is not contiguous, and no mask.

        dP = dropout(dO V^T)        dS = P * (dP - delta)        dQ = scale * dS K

    Beside launching its kernels this function may only allocate and take views, contiguous,
    clone. Arguments stay as they are, and results are new memory.
    """
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
