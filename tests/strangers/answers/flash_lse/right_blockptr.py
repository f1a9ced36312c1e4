# Right: block pointers with boundary checks, module constants as tl.constexpr, log2 by tl.math.
import math

import torch
import triton
import triton.language as tl

LOG_2 = tl.constexpr(0.6931471805599453)
MINUS_INF = tl.constexpr(float("-inf"))


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    q_at = tl.make_block_ptr(q_ptr + head * n_q * D, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0))
    o_at = tl.make_block_ptr(o_ptr + head * n_q * D, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0))
    L_at = tl.make_block_ptr(L_ptr + head * n_q, (n_q,), (1,), (first,), (TILE_M,), (0,))
    k_at = tl.make_block_ptr(k_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0))
    v_at = tl.make_block_ptr(v_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0))
    q = tl.load(q_at, boundary_check=(0,), padding_option="zero")
    m = tl.full((TILE_M,), MINUS_INF, tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        k = tl.load(k_at, boundary_check=(0,), padding_option="zero")
        v = tl.load(v_at, boundary_check=(0,), padding_option="zero")
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(start + tl.arange(0, TILE_N)[None, :] < n_k, s, MINUS_INF)
        m_new = tl.maximum(m, scale_2 * tl.max(s, axis=1))
        alpha = tl.exp2(m - m_new)
        p = tl.exp2(s * scale_2 - m_new[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
        k_at = tl.advance(k_at, (TILE_N, 0))
        v_at = tl.advance(v_at, (TILE_N, 0))
    tl.store(o_at, (acc / l[:, None]).to(o_ptr.dtype.element_ty), boundary_check=(0,))
    tl.store(L_at, (m + tl.log2(l)) * LOG_2, boundary_check=(0,))


def flash_lse(q, k, v, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    scale = d**-0.5 if scale is None else scale
    flash_lse_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], scale / math.log(2), D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o, L
