# Hidden tiles are not skipped: the loop walks over all keys and does the whole softmax step for them, with only the loads and the products left out.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    columns = tl.arange(0, D)
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    edge = n_k
    if CAUSAL:
        edge = tl.minimum(n_k, tl.minimum(first + TILE_M, n_q) + n_k - n_q)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        s = tl.full((TILE_M, TILE_N), float("-inf"), tl.float32)
        if start < edge:
            k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
            s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        seen = keys[None, :] < n_k
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None] + n_k - n_q)
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)
        a = tl.exp2(m - shift)
        p = tl.exp2(s - shift[:, None])
        l = a * l + tl.sum(p, axis=1)
        acc = a[:, None] * acc
        if start < edge:
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
            acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    o = acc / tl.where(l == 0.0, 1.0, l)[:, None]
    L = (m + tl.log2(l)) * 0.6931471805599453
    tl.store(o_ptr + here, o, mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, L, mask=rows < n_q)


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
