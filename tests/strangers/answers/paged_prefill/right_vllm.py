# style: vLLM names: physical_block, slot
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def paged_prefill_kernel(
    q_ptr, k_ptr, v_ptr, tables_ptr, lengths_ptr, o_ptr, max_blocks, n_q, scale_2,
    GROUP: tl.constexpr, D: tl.constexpr, BLOCK: tl.constexpr, TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of packed rows of a sequence and KV head meets the keys they see."""
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
    last = tl.minimum(position, n_q - 1) + length - n_q  # the last key of each row
    furthest = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1)
    end = tl.maximum(furthest + length - n_q + 1, 0)

    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys < end
        physical_block = tl.load(tables_ptr + b * max_blocks + keys // BLOCK, mask=there, other=0)
        slot = (physical_block.to(tl.int64) * kv_heads + head) * BLOCK + keys % BLOCK
        k = tl.load(k_ptr + slot[:, None] * D + columns, mask=there[:, None], other=0.0)
        v = tl.load(v_ptr + slot[:, None] * D + columns, mask=there[:, None], other=0.0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - base)
        p = tl.exp2(s - base[:, None])
        l = l * alpha + tl.sum(p, axis=1)
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
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d), the queries of the last N_q tokens of each of B sequences; k_pool,
    v_pool: (n_blocks, H_kv, block_size, d); all contiguous, of one dtype, float32 or 16 bits
    wide; d: a power of two from 16 to 128. Query head h reads KV head h // (H / H_kv). What
    belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 after them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included; there may
    be fewer than N_q, or none.
    scale: factor of the scores, positive, 1/sqrt(d) if None. tile_m packed rows, each a pair of
    a position and a head of the group, meet tile_n keys at a time; both are powers of two from
    16 on, whatever block_size is.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros. All sums are
    taken in float32, and on the way to o only P may be rounded to 16 bits, and only where it
    meets v; nothing to TF32.
    A pool may hold more than 2^31 numbers, if not as many rows of d: offsets take 64 bits.
    Traffic: q once; keys and values, with their blocks' numbers, for each tile of the
    N_q H / H_kv rows of a KV head, up to the last tile of keys that one of its rows sees. Only
    these tiles are multiplied, each once. A score takes one exponential. In one launch, one
    program for each tile of rows of a KV head; of more than 128 tiles in all a program may take
    several. No load holds more than two tiles of rows or keys, and no product more than one of
    each. Memory: o; no copy of keys or values.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
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
