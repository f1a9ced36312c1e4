"""Dropout in attention from a counter-based generator: the mask is recomputed, never stored.

First Philox in numpy, then in Triton: dropout of any matrix, the forward pass of attention, and
the two kernels of its backward pass, which all ask one function for the mask. Left out:
what causal_flash.py and flash_backward.py do for speed, and head dimensions that are no power
of two.
"""

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    """Philox 4x32: four random words from a counter of four words and a key of two.

    counter: (..., 4) uint32, each with its own c0, c1, c2, c3; key: (2,) uint32, k0 and k1 for
    all of them; rounds: how often the words are mixed, at least once.
    Returns words (..., 4) uint32, a pure function of counter and key.
    One round, with hi and lo the upper and lower 32 bits of a product of 64 bits:

        c0' = hi(M1 c2) ^ c1 ^ k0        c1' = lo(M1 c2)
        c2' = hi(M0 c0) ^ c3 ^ k1        c3' = lo(M0 c0)

    Between two rounds k0 grows by W0 and k1 by W1, modulo 2^32.
    Salmon, Moraes, Dror and Shaw (2011).
    """
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    ### BEGIN SOLUTION
    low = 0xFFFFFFFF
    for _ in range(rounds):
        a, b = M0 * c0, M1 * c2
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & low, (a >> 32) ^ c3 ^ k1, a & low
        k0, k1 = (k0 + W0) & low, (k1 + W1) & low
    ### END SOLUTION
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)


@triton.jit
def keep_tile(seed, offset, head, rows, start, threshold, TILE_N: tl.constexpr):
    """The keep mask of one tile of a head's matrix: (rows, start .. start + TILE_N - 1).

    seed, offset, head, threshold: numbers; rows: (TILE_M,) int32; start: a multiple of 4.
    Returns (TILE_M, TILE_N) bool, True where an entry is kept.
    """
    ### BEGIN SOLUTION
    groups = start // 4 + tl.arange(0, TILE_N // 4)
    w0, w1, w2, w3 = tl.philox(seed, groups[None, :], rows[:, None], head, offset)
    ### END SOLUTION
    # Each w is (TILE_M, TILE_N / 4); joined twice, the four of a group stand side by side.
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape((rows.shape[0], TILE_N))
    return words >= tl.cast(threshold, tl.uint32)


@triton.jit
def dropout_kernel(
    x_ptr, y_ptr, n_q, n_k, threshold, rescale, seed, offset,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: one tile of one head's matrix."""
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    start = tl.program_id(1) * TILE_N
    head = tl.program_id(2)
    columns = start + tl.arange(0, TILE_N)
    inside = (rows[:, None] < n_q) & (columns < n_k)
    here = (head.to(tl.int64) * n_q + rows[:, None]) * n_k + columns
    x = tl.load(x_ptr + here, mask=inside).to(tl.float32)
    keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
    tl.store(y_ptr + here, tl.where(keep, rescale * x, 0.0), mask=inside)


def dropout(
    x: Tensor, dropout_p: float, seed: int, offset: int, tile_m: int = 32, tile_n: int = 128
) -> Tensor:
    """Dropout of one matrix per head; the mask depends on seed, offset and position alone.

    x: (H, N_q, N_k), float32 or 16 bits wide, with any strides.
    dropout_p: the probability that an entry is dropped, 0 <= dropout_p < 1.
    seed: 0 <= seed < 2^63; offset: number of the call, 0 <= offset < 2^31.
    tile_m, tile_n: powers of two from 4 on; the last tile of either side is what is left.
    Returns y (H, N_q, N_k), same dtype. x is loaded once, y stored once. In one launch, one
    program for each tile of consecutive rows and columns; no load holds more than two tiles.
    Memory: y, a copy of x if it is not contiguous, and no mask.

        w_hij = word j mod 4 of Philox with counter (j div 4, i, h, offset)
                and key (seed mod 2^32, seed div 2^32), 10 rounds
        y_hij = x_hij / (1 - dropout_p) if w_hij >= floor(2^32 dropout_p), else 0
    """
    heads, n_q, n_k = x.shape
    x = x.contiguous()
    y = torch.empty_like(x)
    threshold, rescale = int(dropout_p * 2**32), 1 / (1 - dropout_p)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n), heads)
    dropout_kernel[grid](
        x, y, n_q, n_k, threshold, rescale, seed, offset, TILE_M=tile_m, TILE_N=tile_n
    )
    return y


@triton.jit
def dropout_forward_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, threshold, rescale, seed, offset,
    CAUSAL: tl.constexpr, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: TILE_M queries of one head meet all the keys that they see."""
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
        ### BEGIN SOLUTION from flash_full 3
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp(m - shift)
        p = tl.exp(s - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
        dropped = tl.where(keep, rescale * p, 0.0)
        acc = alpha[:, None] * acc + tl.dot(dropped.to(v.dtype), v, input_precision="ieee")
        m = m_new
        ### END SOLUTION
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
    """Attention whose probabilities go through `dropout` before they meet the values.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), float32 or 16 bits wide, each with strides of its
    own; d: a power of two from 16 to 128.
    dropout_p, seed, offset: as in `dropout`; its matrix h is P of batch b, head a for
    h = b * H + a.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, of any sign or
    0; 1/sqrt(d) if None.
    tile_m, tile_n: powers of two from 16 on; the last tile of either side is what is left.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the log-sum-exp of each
    row of scores, which dropout does not change. A query that sees no key gives 0 and -inf. All
    sums are float32; on the way to o only dropout(P) may be rounded to 16 bits, nothing to
    TF32. Traffic: q is loaded once, k and v once for each tile of queries; o and L are stored
    once. In one launch, one program for each tile of consecutive queries of a head, which meets
    tile_n keys at a time; no load holds more than two tiles of queries or keys, and no product
    more than one of each. Tiles are multiplied once in each of the two products. A score takes
    one exponential. Memory: o and L, copies of what is not contiguous, and no mask.

        S = scale * q k^T        P = softmax(S)        o = dropout(P) v        L = log sum_j e^S
    """
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
        ### BEGIN SOLUTION from key_value_gradients 1
        keep = keep_tile(seed, offset, head, rows, first, threshold, TILE_N).T
        dropped = tl.where(keep, rescale * p, 0.0)
        dv += tl.dot(dropped.to(do.dtype), do, input_precision="ieee")
        dp = tl.dot(v, do.T, input_precision="ieee")
        dp = tl.where(keep, rescale * dp, 0.0)
        ds = p * (dp - delta)
        dk += tl.dot(ds.to(q.dtype), q, input_precision="ieee")
        ### END SOLUTION
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
        ### BEGIN SOLUTION from query_gradients 1
        keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
        dp = tl.dot(do, v.T, input_precision="ieee")
        dp = tl.where(keep, rescale * dp, 0.0)
        ds = p * (dp - delta[:, None])
        dq += tl.dot(ds.to(k.dtype), k, input_precision="ieee")
        ### END SOLUTION
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
