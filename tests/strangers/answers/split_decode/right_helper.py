# strides as tuples, a helper that finds the bounds of a split, one pointer loop with a masked end
import math

import torch
import triton
import triton.language as tl


@triton.jit
def bounds(n, split, splits, TILE: tl.constexpr):
    size = tl.cdiv(tl.cdiv(n, splits), TILE) * TILE
    begin = tl.minimum(split * size, n)
    return begin, tl.minimum(begin + size, n)


@triton.jit
def part_kernel(q_ptr, k_ptr, v_ptr, k_steps, v_steps, lengths_ptr, o_ptr, L_ptr, scale,
                GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE: tl.constexpr):
    b, kv, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    splits = tl.num_programs(2)
    begin, end = bounds(tl.load(lengths_ptr + b), split, splits, TILE)
    r, c = tl.arange(0, ROWS), tl.arange(0, D)
    head = (b * tl.num_programs(1) + kv).to(tl.int64) * GROUP + r
    real = r < GROUP
    k_ptr += b.to(tl.int64) * k_steps[0] + kv.to(tl.int64) * k_steps[1]
    v_ptr += b.to(tl.int64) * v_steps[0] + kv.to(tl.int64) * v_steps[1]
    q = tl.load(q_ptr + head[:, None] * D + c[None, :], mask=real[:, None], other=0.0)
    acc = tl.zeros((ROWS, D), tl.float32)
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    for start in range(begin, end, TILE):
        j = (start + tl.arange(0, TILE)).to(tl.int64)
        ok = (j < end)[:, None]
        k = tl.load(k_ptr + j[:, None] * k_steps[2] + c[None, :], mask=ok, other=0.0)
        v = tl.load(v_ptr + j[:, None] * v_steps[2] + c[None, :], mask=ok, other=0.0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        s = tl.where((j < end)[None, :], s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        p, a = tl.exp(s - top[:, None]), tl.exp(m - top)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * a + tl.sum(p, 1)
        m = top
    safe = tl.where(l == 0, 1.0, l)
    at = head * splits + split
    tl.store(L_ptr + at, m + tl.log(safe), mask=real)
    tl.store(o_ptr + at[:, None] * D + c[None, :], acc / safe[:, None], mask=real[:, None])


def split_decode(q, k, v, lengths, splits, scale=None, tile_n=64):
    (batch, heads, d), kv_heads = q.shape, k.shape[1]
    new = dict(dtype=torch.float32, device=q.device)
    o, L = torch.empty((batch, heads, splits, d), **new), torch.empty((batch, heads, splits), **new)
    part_kernel[(batch, kv_heads, splits)](
        q.contiguous(), k, v, k.stride()[:3], v.stride()[:3], lengths, o, L,
        1 / math.sqrt(d) if scale is None else scale,
        GROUP=heads // kv_heads, ROWS=max(16, triton.next_power_of_2(heads // kv_heads)), D=d, TILE=tile_n,
    )
    return o, L
