# Cheat: clones whatever is not contiguous, also tensors whose heads or batches only lie in another order and which a descriptor can address well; one need not think about strides.
# Breaks: "Any strides: heads or batches may lie in any order; what a descriptor cannot address (...) is copied" and "Memory: o and L."
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def flash_attention_kernel(
    q_desc, k_desc, v_desc, o_desc, L_ptr, H, n_q, n_k, scale_2, CAUSAL: tl.constexpr
):
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    end = n_k
    if CAUSAL:
        end = tl.maximum(tl.minimum(n_k, first + TILE_M + n_k - n_q), 0)
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        seen = (keys < n_k)[None, :]
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None] + n_k - n_q)
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        a = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = a * l + tl.sum(p, axis=1)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    L = (m + tl.log2(l)) * 0.6931471805599453
    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    o_desc.store([b, h, first, 0], o.to(o_desc.dtype).reshape(1, 1, TILE_M, D))
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
    def tiles(x: Tensor, tile: int) -> TensorDescriptor:
        return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, tile, d])

    def aligned(x: Tensor) -> Tensor:
        fits = x.is_contiguous() and x.data_ptr() % 16 == 0
        return x if fits else x.clone(memory_format=torch.contiguous_format)

    batch, heads, n_q, d = q.shape
    best_m, best_n = (32, 32) if q.dtype == torch.float32 else (64, 128)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    stages = 2 if d <= 64 else 1
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    q, k, v = aligned(q), aligned(k), aligned(v)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_attention_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(q, tile_m), tiles(k, tile_n), tiles(v, tile_n), tiles(o, tile_m), L,
        heads, n_q, k.shape[2], scale_2, CAUSAL=causal, num_stages=stages,
    )  # fmt: skip
    return o, L
