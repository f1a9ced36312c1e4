# style: two loops written out, augmented &= in the kernel
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    shift = n_k - n_q
    end = n_k
    whole = n_k // TILE_N * TILE_N
    if CAUSAL:
        end = tl.minimum(n_k, tl.maximum(0, first + TILE_M + shift))
        whole = tl.minimum(whole, tl.maximum(0, first + shift + 1) // TILE_N * TILE_N)
    for start in range(0, whole, TILE_N):
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        m_new = tl.maximum(m, tl.max(s, axis=1))
        p = tl.exp2(s - m_new[:, None])
        alpha = tl.exp2(m - m_new)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    for start in range(whole, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        seen = keys[None, :] < n_k
        if CAUSAL:
            seen &= keys[None, :] <= rows[:, None] + shift
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        p = tl.exp2(s - base[:, None])
        alpha = tl.exp2(m - base)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    L = (m + tl.log2(l)) * 0.6931471805599453
    acc = (acc / l[:, None]).to(o_desc.dtype)
    o_desc.store([b, h, first, 0], acc.reshape(1, 1, TILE_M, D))
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
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
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
