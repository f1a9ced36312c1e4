# style: comments, tl.where
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp(m - base)
        p = tl.exp(s - base[:, None])
        l = l * alpha + tl.sum(p, axis=1)  # the denominator knows nothing of dropout
        keep = keep_tile(seed, offset, head, rows, start, threshold, TILE_N)
        p = tl.where(keep, p * rescale, 0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
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

    Beside launching its kernels this function may only allocate and take views, contiguous,
    clone. Arguments stay as they are, and results are new memory.
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
