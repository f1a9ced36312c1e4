# Right: Tri Dao's EVEN_M / EVEN_N heuristics with masked branches only where needed
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.heuristics(
    {
        "EVEN_M": lambda args: args["n_q"] % args["TILE_M"] == 0,
        "EVEN_N": lambda args: args["n_k"] % args["TILE_N"] == 0,
    }
)
@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
    EVEN_M: tl.constexpr, EVEN_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys of the head."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    if EVEN_M:
        q = tl.load(q_ptr + here)
    else:
        q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    m_i = tl.full((TILE_M,), float("-inf"), tl.float32)
    l_i = tl.zeros((TILE_M,), tl.float32)
    acc_o = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns
        if EVEN_N:
            k = tl.load(k_ptr + there)
        else:
            k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        qk = scale * tl.dot(q, tl.trans(k), input_precision="ieee")
        if not EVEN_N:
            qk += tl.where(keys[None, :] < n_k, 0, float("-inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, axis=1))
        p = tl.exp(qk - m_ij[:, None])
        acc_o_scale = tl.exp(m_i - m_ij)
        l_i = l_i * acc_o_scale + tl.sum(p, axis=1)
        acc_o = acc_o * acc_o_scale[:, None]
        if EVEN_N:
            v = tl.load(v_ptr + there)
        else:
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        acc_o += tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m_i = m_ij
    o = acc_o / l_i[:, None]
    if EVEN_M:
        tl.store(o_ptr + here, o)
    else:
        tl.store(o_ptr + here, o, mask=rows[:, None] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = lambda META: (triton.cdiv(n_q, META["TILE_M"]), batch * heads)  # noqa: E731
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
