# pool taken for (blocks, slots, heads, d), as in FlashAttention's paged cache
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def part(q_ptr, k_ptr, v_ptr, bt_ptr, sl_ptr, tmp_o, tmp_m, tmp_l, max_blocks, scale, G: tl.constexpr, R: tl.constexpr, D: tl.constexpr, BS: tl.constexpr, T: tl.constexpr):
    # vLLM's way: exp_sums and max_logits of each partition, natural exponentials
    p_i, h, s = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    P, KVH = tl.num_programs(0), tl.num_programs(1)
    n = tl.load(sl_ptr + s)
    per = tl.cdiv(tl.cdiv(n, T), P) * T
    lo = p_i * per
    hi = tl.minimum(lo + per, n)
    r = tl.arange(0, R)
    d = tl.arange(0, D)
    row = (s * KVH + h) * G + r
    q = tl.load(q_ptr + row[:, None] * D + d[None, :], mask=(r < G)[:, None], other=0)
    mx = tl.full((R,), float("-inf"), tl.float32)
    sm = tl.zeros((R,), tl.float32)
    acc = tl.zeros((R, D), tl.float32)
    for j0 in range(lo, hi, T):
        j = j0 + tl.arange(0, T)
        live = j < hi
        blk = tl.load(bt_ptr + s * max_blocks + j // BS, mask=live, other=0).to(tl.int64)
        at = ((blk * BS + j % BS) * KVH + h) * D
        k = tl.load(k_ptr + at[:, None] + d[None, :], mask=live[:, None], other=0)
        v = tl.load(v_ptr + at[:, None] + d[None, :], mask=live[:, None], other=0)
        x = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        x = tl.where(live[None, :], x, float("-inf"))
        new = tl.maximum(mx, tl.max(x, 1))
        w = tl.exp(x - new[:, None])
        a = tl.exp(mx - new)
        sm = sm * a + tl.sum(w, 1)
        acc = acc * a[:, None] + tl.dot(w.to(v.dtype), v, input_precision="ieee")
        mx = new
    to = row.to(tl.int64) * P + p_i
    tl.store(tmp_o + to[:, None] * D + d[None, :], acc / tl.where(sm == 0, 1.0, sm)[:, None], mask=(r < G)[:, None])
    tl.store(tmp_m + to, mx + tl.log(tl.where(sm == 0, 1.0, sm)), mask=r < G)


@triton.jit
def reduce(tmp_o, tmp_m, out, P, D: tl.constexpr, PP: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    p = tl.arange(0, PP)
    d = tl.arange(0, D)
    lse = tl.load(tmp_m + row * P + p, mask=p < P, other=float("-inf"))
    o = tl.load(tmp_o + (row * P + p)[:, None] * D + d[None, :], mask=(p < P)[:, None], other=0)
    top = tl.max(lse, 0)
    w = tl.exp(lse - tl.where(top == float("-inf"), 0.0, top))
    z = tl.sum(w, 0)
    tl.store(out + row * D + d, tl.sum(o * w[:, None], 0) / tl.where(z == 0, 1.0, z))


def paged_decode(q, k_pool, v_pool, tables, lengths, scale=None, splits=None, tile=64):
    B, H, D = q.shape
    _, KVH, BS, _ = k_pool.shape
    G = H // KVH
    if splits is None:
        splits = max(1, min(528 // (B * KVH), tables.shape[1] * BS // 128))
    tmp_o = torch.empty((B, H, splits, D), dtype=torch.float32, device=q.device)
    tmp_m = torch.empty((B, H, splits), dtype=torch.float32, device=q.device)
    out = torch.empty_like(q)
    part[(splits, KVH, B)](q, k_pool, v_pool, tables, lengths, tmp_o, tmp_m, tmp_m, tables.shape[1], D ** -0.5 if scale is None else scale, G, max(16, triton.next_power_of_2(G)), D, BS, tile)
    reduce[(B * H,)](tmp_o, tmp_m, out, splits, D, triton.next_power_of_2(splits))
    return out
