# Right: vLLM-like names, offsets prepared outside of the loop and pointers moved by +=, masks by &
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def split_decode_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: the query heads of one KV head meet one split of a sequence's keys."""
    split, splits = tl.program_id(0), tl.num_programs(0)
    kv_head, kv_heads = tl.program_id(1), tl.num_programs(1)
    b = tl.program_id(2)
    n = tl.load(lengths_ptr + b)
    k_ptr += b.to(tl.int64) * k_batch + kv_head.to(tl.int64) * k_head  # can pass 2^31
    v_ptr += b.to(tl.int64) * v_batch + kv_head.to(tl.int64) * v_head
    columns = tl.arange(0, D)
    rows = tl.arange(0, ROWS)  # the first GROUP are query heads, the others fill the tile
    cur_head = (b * kv_heads + kv_head).to(tl.int64) * GROUP + rows
    mask_h = rows < GROUP

    kv_len_per_split = tl.cdiv(tl.cdiv(n, splits), TILE_N) * TILE_N
    split_kv_start = kv_len_per_split * split
    split_kv_end = tl.minimum(split_kv_start + kv_len_per_split, n)

    e_max = tl.zeros([ROWS], dtype=tl.float32) - float("inf")
    e_sum = tl.zeros([ROWS], dtype=tl.float32)
    acc = tl.zeros([ROWS, D], dtype=tl.float32)
    if split_kv_end > split_kv_start:
        q = tl.load(q_ptr + cur_head[:, None] * D + columns[None, :], mask=mask_h[:, None], other=0.0)
        for start_n in range(split_kv_start, split_kv_end, TILE_N):
            offs_n = start_n + tl.arange(0, TILE_N)
            inside = offs_n < split_kv_end
            k = tl.load(
                k_ptr + offs_n[None, :] * k_row + columns[:, None], mask=inside[None, :], other=0.0
            )
            qk = tl.dot(q, k, input_precision="ieee")
            qk *= scale_2
            qk = tl.where(mask_h[:, None] & inside[None, :], qk, float("-inf"))
            v = tl.load(
                v_ptr + offs_n[:, None] * v_row + columns[None, :], mask=inside[:, None], other=0.0
            )
            n_e_max = tl.maximum(tl.max(qk, 1), e_max)
            base = tl.where(mask_h, n_e_max, 0.0)
            re_scale = tl.exp2(e_max - base)
            p = tl.exp2(qk - base[:, None])
            acc *= re_scale[:, None]
            acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
            e_sum = e_sum * re_scale + tl.sum(p, 1)
            e_max = n_e_max
    there = cur_head * splits + split
    e_safe = tl.where(e_sum > 0, e_sum, 1.0)
    tl.store(o_ptr + there[:, None] * D + columns[None, :], acc / e_safe[:, None], mask=mask_h[:, None])
    tl.store(L_ptr + there, (e_max + tl.log2(e_safe)) / 1.4426950408889634, mask=mask_h)


def split_decode(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    lengths: Tensor,
    splits: int,
    scale: float | None = None,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, d = q.shape
    kv_heads = k.shape[1]
    group = heads // kv_heads
    rows = max(16, triton.next_power_of_2(group))  # the height of a matrix instruction
    o = torch.empty((batch, heads, splits, d), dtype=torch.float32, device=q.device)
    L = torch.empty((batch, heads, splits), dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    split_decode_kernel[(splits, kv_heads, batch)](
        q.contiguous(), k, v, lengths, o, L, scale_2, *k.stride()[:3], *v.stride()[:3],
        GROUP=group, ROWS=rows, D=d, TILE_N=tile_n, num_warps=4, num_stages=4,
    )  # fmt: skip
    return o, L
