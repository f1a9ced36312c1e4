# style: whole tiles without a mask, the ragged tile in a loop of its own
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def _step(q, k_ptr, v_ptr, m, l, acc, start, n_k, scale_2, columns, TILE_N: tl.constexpr, D: tl.constexpr, TAIL: tl.constexpr):
    keys = start + tl.arange(0, TILE_N)
    there = keys[:, None] * D + columns[None, :]
    if TAIL:
        k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0.0)
    else:
        k = tl.load(k_ptr + there)
        v = tl.load(v_ptr + there)
    s = scale_2 * tl.dot(q, tl.trans(k), input_precision="ieee")
    if TAIL:
        s += tl.where(keys < n_k, 0.0, float("-inf"))[None, :]
    new = tl.maximum(m, tl.max(s, axis=1))
    p = tl.exp2(s - new[:, None])
    alpha = tl.exp2(m - new)
    l = l * alpha + tl.sum(p, axis=1)
    acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return new, l, acc


@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    inside = rows < n_q
    q = tl.load(q_ptr + here, mask=inside[:, None], other=0.0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    whole = n_k // TILE_N * TILE_N
    for start in range(0, whole, TILE_N):
        m, l, acc = _step(q, k_ptr, v_ptr, m, l, acc, start, n_k, scale_2, columns, TILE_N, D, False)
    if whole < n_k:
        m, l, acc = _step(q, k_ptr, v_ptr, m, l, acc, whole, n_k, scale_2, columns, TILE_N, D, True)
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=inside[:, None])
    tl.store(L_ptr + rows, m * 0.6931471805599453 + tl.log(l), mask=inside)


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
