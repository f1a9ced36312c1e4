# Right: a static_range over two stages (whole tiles, then cut ones) around one inner loop, constexpr conditions, Python-style chained conditionals
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)

    end = n_k
    last = tl.full((TILE_M,), 0, tl.int32) + (n_k - 1)
    whole = n_k // TILE_N * TILE_N
    if CAUSAL:
        last = rows + (n_k - n_q)
        end = tl.maximum(0, tl.minimum(n_k, tl.minimum(first + TILE_M, n_q) + n_k - n_q))
        whole = tl.maximum(0, tl.minimum(n_k, first + n_k - n_q + 1)) // TILE_N * TILE_N
        last = tl.minimum(last, n_k - 1)
    for stage in tl.static_range(2):
        begin = 0 if stage == 0 else whole
        stop = whole if stage == 0 else end
        for start in range(begin, stop, TILE_N):
            keys = start + tl.arange(0, TILE_N)
            where = keys[:, None] * D + columns
            if stage == 0:
                k = tl.load(k_ptr + where)
                v = tl.load(v_ptr + where)
            else:
                k = tl.load(k_ptr + where, mask=keys[:, None] < n_k, other=0)
                v = tl.load(v_ptr + where, mask=keys[:, None] < n_k, other=0)
            s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
            if stage == 1:
                s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
            m_new = tl.maximum(m, tl.max(s, axis=1))
            base = tl.where(m_new == float("-inf"), 0.0, m_new)
            p = tl.exp2(s - base[:, None])
            alpha = tl.exp2(m - base)
            l = l * alpha + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = m_new
    there = rows < n_q
    tl.store(o_ptr + here, acc / tl.where(l == 0, 1.0, l)[:, None], mask=there[:, None])
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=there)


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention that reads no tile of keys that none of its queries sees."""
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
