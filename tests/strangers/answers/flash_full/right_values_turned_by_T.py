# Everything on its side: S^T = K Q^T, O^T = V^T P^T; the running output is always divided; one axis in the grid.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def place(row, D: tl.constexpr, ACROSS: tl.constexpr):
    """Offsets of rows of D numbers: (rows, D), or (D, rows) if ACROSS."""
    c = tl.arange(0, D)
    if ACROSS:
        return row[None, :] * D + c[:, None]
    else:
        return row[:, None] * D + c[None, :]


@triton.jit
def one_tile(oT, m, l, sT, v):
    """The state after a tile more; oT is always the output so far."""
    m_new = tl.maximum(m, tl.max(sT, 0))
    pT = tl.exp(sT - m_new[None, :])
    past = l * tl.exp(m - m_new)
    l_new = past + tl.sum(pT, 0)
    fresh = tl.dot(v.T, pT.to(v.dtype), input_precision="ieee")
    return (oT * past[None, :] + fresh) / l_new[None, :], m_new, l_new


@triton.jit
def sideways_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    tiles = n_q // TILE_M
    number = tl.program_id(0)
    head, tile = (number // tiles).to(tl.int64), number % tiles
    row = tile * TILE_M + tl.arange(0, TILE_M)
    key = tl.arange(0, TILE_N)
    qT = tl.load(q_ptr + head * n_q * D + place(row, D, ACROSS=True))
    oT = tl.zeros((D, TILE_M), dtype=tl.float32)
    m = tl.full((TILE_M,), -float("inf"), dtype=tl.float32)
    l = tl.zeros((TILE_M,), dtype=tl.float32)
    done = 0
    while done < n_k:
        at = head * n_k * D + place(done + key, D, ACROSS=False)
        k = tl.load(k_ptr + at)
        v = tl.load(v_ptr + at)
        sT = tl.dot(k, qT, input_precision="ieee") * scale
        oT, m, l = one_tile(oT, m, l, sT, v)
        done += TILE_N
    tl.store(o_ptr + head * n_q * D + place(row, D, ACROSS=True), oT)


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    o = torch.empty_like(q)
    (*batches, n_q, d), n_k = q.shape, k.shape[-2]
    scale = scale if scale is not None else d**-0.5
    sideways_kernel[(math.prod(batches) * (n_q // tile_m),)](
        q, k, v, o, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o
