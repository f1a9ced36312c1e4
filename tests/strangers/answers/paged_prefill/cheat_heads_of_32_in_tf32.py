# course style; in float32 heads of 32 or 128 are multiplied in TF32
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    head, b, kv_heads = tl.program_id(1), tl.program_id(2), tl.num_programs(1)
    length = tl.load(lengths_ptr + b)
    first = (tl.num_programs(0) - 1 - tl.program_id(0)) * TILE_M  # most keys first
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    position = rows // GROUP  # in the chunk
    query = ((b * kv_heads + head).to(tl.int64) * GROUP + rows % GROUP) * n_q + position
    q_there, real = query[:, None] * D + columns, position[:, None] < n_q
    q = tl.load(q_ptr + q_there, mask=real, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    last = position + length - n_q
    seen_by_all = first // GROUP + 1 + length - n_q
    seen_by_any = tl.minimum((first + TILE_M - 1) // GROUP + 1 + length - n_q, length)
    table_ptr = tables_ptr + b * max_blocks
    for start in range(0, seen_by_any, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        here = keys < seen_by_any
        block = tl.load(table_ptr + keys // BLOCK, mask=here, other=0).to(tl.int64)
        slot = (block * kv_heads + head) * BLOCK + keys % BLOCK
        there = slot[:, None] * D + columns
        k = tl.load(k_ptr + there, mask=here[:, None], other=0)
        v = tl.load(v_ptr + there, mask=here[:, None], other=0)
        s = tl.dot(q, k.T, input_precision="tf32" if (D == 32 or D == 128) and q_ptr.dtype.element_ty == tl.float32 else "ieee")
        if start + TILE_N > seen_by_all:
            s = tl.where(keys <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s * scale_2 - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + q_there, acc / l[:, None], mask=real)


def paged_prefill(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    group = heads // kv_heads
    o = torch.empty_like(q)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    paged_prefill_kernel[(triton.cdiv(n_q * group, tile_m), kv_heads, batch)](
        q, k_pool, v_pool, tables, lengths, o, tables.shape[1], n_q, scale_2,
        GROUP=group, D=d, BLOCK=block_size, TILE_M=tile_m, TILE_N=tile_n, num_stages=3,
    )  # fmt: skip
    return o
