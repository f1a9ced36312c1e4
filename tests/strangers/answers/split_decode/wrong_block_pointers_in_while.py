# Block pointers that a while loop advances, on which Triton's compiler aborts; shows where kernels are compiled.
# Block pointers whose shape ends with the split, so that the padding comes by itself; q with its own strides, no copy;
# one axis in the grid.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def part_kernel(
    q_ptr, k_ptr, v_ptr, lengths_ptr, o_ptr, L_ptr, scale_2, kv_heads, splits,
    q_batch, q_head, q_col, k_batch, k_head, k_row, v_batch, v_head, v_row,
    GROUP: tl.constexpr, ROWS: tl.constexpr, D: tl.constexpr, TILE: tl.constexpr,
):  # fmt: skip
    me = tl.program_id(0)
    split = me % splits
    head = (me // splits) % kv_heads
    b = (me // splits // kv_heads).to(tl.int64)
    n = tl.load(lengths_ptr + b)
    size = tl.cdiv(tl.cdiv(n, splits), TILE) * TILE
    start = split * size
    stop = tl.minimum(start + size, n)

    r = tl.arange(0, ROWS)
    c = tl.arange(0, D)
    real = r < GROUP
    q_at = q_ptr + b * q_batch + (head * GROUP + r).to(tl.int64)[:, None] * q_head
    q = tl.load(q_at + c[None, :].to(tl.int64) * q_col, mask=real[:, None], other=0.0)
    K = tl.make_block_ptr(
        k_ptr + b * k_batch + head.to(tl.int64) * k_head, (D, stop), (1, k_row), (0, start),
        (D, TILE), (0, 1),
    )  # fmt: skip
    V = tl.make_block_ptr(
        v_ptr + b * v_batch + head.to(tl.int64) * v_head, (stop, D), (v_row, 1), (start, 0),
        (TILE, D), (1, 0),
    )  # fmt: skip
    m = tl.full((ROWS,), float("-inf"), tl.float32)
    l = tl.zeros((ROWS,), tl.float32)
    acc = tl.zeros((ROWS, D), tl.float32)
    while start < stop:
        k = tl.load(K, boundary_check=(1,), padding_option="zero")
        s = tl.dot(q, k, input_precision="ieee") * scale_2
        s = tl.where(start + tl.arange(0, TILE)[None, :] < stop, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
        shrink = tl.exp2(m - top)
        v = tl.load(V, boundary_check=(0,), padding_option="zero")
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None], input_precision="ieee")
        l = l * shrink + tl.sum(p, 1)
        m = top
        K = tl.advance(K, (0, TILE))
        V = tl.advance(V, (TILE, 0))
        start += TILE
    l = tl.where(l == 0.0, 1.0, l)
    line = ((b * kv_heads + head) * GROUP + r) * splits + split
    tl.store(L_ptr + line, (m + tl.log2(l)) * 0.6931471805599453, mask=real)
    tl.store(o_ptr + line[:, None] * D + c[None, :], acc / l[:, None], mask=real[:, None])


def split_decode(
    q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, splits: int,
    scale: float | None = None, tile_n: int = 64,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    B, H, d = q.shape
    H_kv = k.size(1)
    o = torch.empty(B, H, splits, d, dtype=torch.float32, device=q.device)
    L = torch.empty(B, H, splits, dtype=torch.float32, device=q.device)
    scale = 1 / math.sqrt(d) if scale is None else scale
    part_kernel[(splits * H_kv * B,)](
        q, k, v, lengths, o, L, scale / math.log(2), H_kv, splits, *q.stride(),
        *k.stride()[:3], *v.stride()[:3],
        GROUP=H // H_kv, ROWS=max(16, triton.next_power_of_2(H // H_kv)), D=d, TILE=tile_n,
    )  # fmt: skip
    return o, L
