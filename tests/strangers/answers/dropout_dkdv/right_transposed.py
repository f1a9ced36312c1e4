# style: tl.trans of a mask, += of dots
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def dropout_dkdv_kernel(
    q_ptr, k_ptr, v_ptr, do_ptr, L_ptr, delta_ptr, dk_ptr, dv_ptr,
    n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: TILE_N keys of one head meet all the queries that see them."""
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
        dv += tl.dot(dropped.to(do.dtype), do, input_precision="ieee")
        dp = tl.dot(v, do.T, input_precision="ieee")
        dp = tl.where(keep, rescale * dp, 0.0)
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
    """The gradients of keys and values of `dropout_forward`, with its mask recomputed.

    q, do: (B, H, N_q, d), k, v: (B, H, N_k, d), float32 or 16 bits wide; do is the gradient of
    the loss with respect to o; d: a power of two from 16 to 128.
    L, delta: (B, H, N_q) float32: the log-sum-exps, and the row sums of do * o. Each of the six
    has strides of its own.
    dropout_p, seed, offset, causal, scale: what the forward pass was given.
    tile_m, tile_n: powers of two from 16 on; the last tile of either side is what is left.
    Returns dk, dv (B, H, N_k, d), same dtype. A query that sees no key has L = -inf and gives
    nothing. All sums are float32; on the way only P, dropped or not, and dS may be rounded to
    16 bits, nothing to TF32.
    Traffic: k and v are loaded once, q, do, L and delta once for each tile of keys. In one
    launch, one program for each tile of consecutive keys of a head; no load holds more than two
    tiles of queries or keys, and no product more than one of each. Tiles are multiplied once in
    each of the four products. A score takes one exponential. Memory: dk and dv, copies of what
    is not contiguous, and no mask.

        dV = dropout(P)^T dO        dP = dropout(dO V^T)
        dS = P * (dP - delta)       dK = scale * dS^T Q

    Beside launching its kernels this function may only allocate and take views, contiguous,
    clone. Arguments stay as they are, and results are new memory.
    """
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
