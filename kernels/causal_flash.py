"""FlashAttention-2 forward as it is used: the causal mask, skipped tiles, strides, speed.

Two steps from the kernels of flash_forward.py to the one that the later lessons build on. Left
out: dropout (dropout.py), query heads that share keys (gqa.py), and the backward pass
(flash_backward.py).
"""

import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """The state (acc, m, l) of a tile of queries after the tiles of keys from begin to end.

    last: (TILE_M,), the last key that each query sees; used only if MASKED. Without
    MASKED the keys from begin to end fill whole tiles and every query sees all of them.
    """
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        ### BEGIN SOLUTION from flash_lse
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        if MASKED:
            k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
        else:
            k = tl.load(k_ptr + there)
            v = tl.load(v_ptr + there)
        s = tl.dot(q, k.T, input_precision="ieee")
        if MASKED:
            s = tl.where(keys <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = m_new
        if MASKED:
            shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s * scale_2 - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
        ### END SOLUTION
    return acc, m, l


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)
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
    ### BEGIN SOLUTION
    if CAUSAL:
        last = rows + n_k - n_q
        seen_by_all = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    else:
        last = tl.full((TILE_M,), n_k - 1, tl.int32)
        seen_by_all = n_k
        seen_by_any = n_k
    whole = seen_by_all // TILE_N * TILE_N
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, whole, n_k, scale_2, D, TILE_N, False
    )  # fmt: skip
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, whole, seen_by_any, n_k, scale_2, D, TILE_N, True
    )  # fmt: skip
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)
    ### END SOLUTION


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention that reads no tile of keys that none of its queries sees.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on. scale: factor of the scores,
    positive, 1/sqrt(d) if None.
    causal: query i sees keys j <= i + N_k - N_q, so the last query sees every key.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, natural logarithm; a query
    that sees no key gives o = 0 and L = -inf. All sums are taken in float32, and on the way to
    o only P may be rounded to 16 bits, and only where it meets v; nothing to TF32.
    Traffic: q once; k and v, for each tile of queries, up to the last tile of keys that one of
    its queries sees. Only these tiles are multiplied, each once. A score takes one exponential.
    In one launch, a program takes one tile of consecutive queries of a head; it may take a
    second: the one that sees fewest keys with the one that sees most, and so on. No load holds
    more than two tiles of queries or keys, and no product more than one of each. Memory: o and
    L.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L


@triton.jit
def flash_attention_kernel(
    q_desc, k_desc, v_desc, o_desc, L_ptr, H, n_q, n_k, scale_2, CAUSAL: tl.constexpr
):
    """One program: a tile of queries of one head meets the tiles of keys that they see."""
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
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    ### BEGIN SOLUTION from flash_causal 2,1
    if CAUSAL:
        last = rows + n_k - n_q
        seen_by_all = tl.minimum(first + 1 + n_k - n_q, n_k)
        seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    else:
        last = tl.full((TILE_M,), n_k - 1, tl.int32)
        seen_by_all = n_k
        seen_by_any = n_k
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    for start in range(0, seen_by_any, TILE_N):
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = tl.dot(q, k.T, input_precision="ieee")
        if start + TILE_N > seen_by_all:
            keys = start + tl.arange(0, TILE_N)
            s = tl.where(keys <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        p = tl.exp2(s * scale_2 - shift[:, None])
        alpha = tl.exp2(m - shift)
        l = alpha * l + tl.sum(p, axis=1)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    o = (acc / l[:, None]).to(o_desc.dtype)
    o_desc.store([b, h, first, 0], o.reshape(1, 1, TILE_M, D))
    L = (m + tl.log2(l)) * 0.6931471805599453
    ### END SOLUTION
    tl.store(L_ptr + head.to(tl.int64) * n_q + rows, L, mask=rows < n_q)


def flash_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp: FlashAttention-2, forward.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16; d: 16, 32, 64 or 128.
    Any strides: heads or batches may lie in any order; what a descriptor cannot address (rows
    that are not contiguous, steps that are not multiples of 16 bytes) is copied.
    causal: query i sees keys j <= i + N_k - N_q, so the last query sees every key.
    scale: factor of the scores, positive, 1/sqrt(d) if None. tile_m, tile_n: powers of two from
    16 on; if None, the function has its own.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, natural logarithm; a query
    that sees no key gives o = 0 and L = -inf.
    Sums, traffic, programs and memory: as in `flash_causal`.
    """

    def tiles(x: Tensor, tile: int) -> TensorDescriptor:
        return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, tile, d])

    def aligned(x: Tensor) -> Tensor:
        steps = [x.data_ptr(), *(step * x.element_size() for step in x.stride()[:3])]
        fits = x.stride(3) == 1 and all(step > 0 and step % 16 == 0 for step in steps)
        return x if fits else x.clone(memory_format=torch.contiguous_format)

    batch, heads, n_q, d = q.shape
    best_m, best_n = (32, 32) if q.dtype == torch.float32 else (64, 128)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    stages = 2 if d <= 64 else 1  # at d = 128 three programs that wait beat one that does not
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    q, k, v = aligned(q), aligned(k), aligned(v)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_attention_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(q, tile_m), tiles(k, tile_n), tiles(v, tile_n), tiles(o, tile_m), L,
        heads, n_q, k.shape[2], scale_2, CAUSAL=causal, num_stages=stages,
    )  # fmt: skip
    return o, L
