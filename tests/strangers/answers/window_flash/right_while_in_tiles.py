# style: one loop over sink tiles and window tiles
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of queries of one head meets the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)  # counts the heads of all batches
    q_ptr += head // H * q_batch + head % H * q_head
    k_ptr += head // H * k_batch + head % H * k_head
    v_ptr += head // H * v_batch + head % H * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    q = tl.load(
        q_ptr + rows[:, None] * q_row + columns[None, :] * q_column,
        mask=rows[:, None] < n_q,
        other=0.0,
    )
    shift = n_k - n_q
    position = rows + shift
    top = tl.minimum(first + TILE_M, n_q) - 1 + shift  # the last query's position
    low = tl.maximum(first + shift - window + 1, 0)  # the first key in the first query's window
    sink_tiles = tl.cdiv(tl.minimum(sinks, top + 1), TILE_N)
    begin = tl.maximum(low // TILE_N, sink_tiles)
    end = top // TILE_N + 1
    # turns 0 to sink_tiles - 1 take the tiles of the sinks, the others those of the windows
    for turn in range(0, sink_tiles + end - begin):
        tile = tl.where(turn < sink_tiles, turn, turn - sink_tiles + begin)
        keys = tile * TILE_N + tl.arange(0, TILE_N)
        there = keys[:, None] < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns[None, :] * k_column, mask=there, other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns[None, :] * v_column, mask=there, other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        seen = keys[None, :] <= position[:, None]
        seen = seen & ((keys[None, :] > position[:, None] - window) | (keys[None, :] < sinks))
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - base)
        p = tl.exp2(s - base[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    here = (head * n_q + rows)[:, None] * D + columns
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + head * n_q + rows, (m + tl.log2(l)) * 0.6931471805599453, mask=rows < n_q)


def window_flash(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """`sink_attention` of many heads, which visits no tile of keys that is hidden whole.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, N_q <= N_k: the
    queries are the last N_q of the N_k tokens; d: a power of two from 16 to 128. Any strides,
    0 too, and nothing is copied; batches and heads may lie 2^30 elements apart, the rows of a
    head lie within 2^31.
    window, sinks: as in `sink_attention`.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    tile_m queries meet tile_n keys at a time, powers of two from 16 on.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural log-sum-exp.
    All sums are taken in float32, and on the way to o only P may be rounded to 16 bits, and
    only where it meets v; nothing to TF32.
    Traffic: q once; for each tile of queries no more of k and v than the tiles, cut from key 0
    on, that hold a key which one of its queries sees, once each. No more than these is asked
    for, not even under a mask that leaves all of it out, or multiplied. A score takes one
    exponential. In one launch, each program takes one tile of consecutive queries of one head,
    and no load holds more than one tile, and no product more than one of queries and one of
    keys.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or (32 if q.dtype == torch.float32 else 64)
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
