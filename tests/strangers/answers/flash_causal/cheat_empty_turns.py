# BREAKS: "Attention that reads no tile of keys that none of its queries sees."
# COSTS: the loop runs over all tiles: hidden ones are asked for under a mask that leaves all of it out, twice the turns and load instructions
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
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        wanted = (keys[:, None] < n_k) & (start <= tl.max(last, axis=0))
        k = tl.load(k_ptr + there, mask=wanted, other=0)
        v = tl.load(v_ptr + there, mask=wanted, other=0)
        if start <= tl.max(last, axis=0):
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            if MASKED:
                s = tl.where((keys < n_k) & (keys <= last[:, None]), s, float("-inf"))
            new = tl.maximum(m, tl.max(s, axis=1))
            to = tl.where(new == float("-inf"), 0.0, new)
            alpha = tl.exp2(m - to)
            p = tl.exp2(s - to[:, None])
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = new
    return acc, m, l


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
    here = rows[:, None] * D + tl.arange(0, D)
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    last = tl.minimum(rows, n_q - 1) + n_k - n_q
    if not CAUSAL:
        last = last * 0 + n_k - 1
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, 0, n_k, n_k, scale_2, D, TILE_N, MASKED=True)
    o = acc / tl.where(l == 0, 1.0, l)[:, None]
    tl.store(o_ptr + here, o, mask=rows[:, None] < n_q)
    L = tl.where(l == 0, float("-inf"), (m + tl.log2(tl.where(l == 0, 1.0, l))) * 0.6931471805599453)
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
