# Style: as in Triton's own tutorial: K loaded transposed, pointers that move on, base 2, an additive mask.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys of the head."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0.0)
    scale_2 = scale * 1.4426950408889634  # 2^(scale_2 S) = e^(scale S), of any sign
    row_max = tl.full((TILE_M,), float("-inf"), tl.float32)
    row_sum = tl.full((TILE_M,), 0.0, tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    key = tl.arange(0, TILE_N)
    k_ptrs = k_ptr + columns[:, None] + key[None, :] * D  # (D, TILE_N): K transposed
    v_ptrs = v_ptr + key[:, None] * D + columns[None, :]
    for start in tl.range(0, n_k, TILE_N):
        left = n_k - start
        k_t = tl.load(k_ptrs, mask=key[None, :] < left, other=0.0)
        s = tl.dot(q, k_t, input_precision="ieee") * scale_2
        s += tl.where(key < left, 0.0, float("-inf"))[None, :]
        new_max = tl.maximum(row_max, tl.max(s, 1))
        p = tl.exp2(s - new_max[:, None])
        shrink = tl.exp2(row_max - new_max)
        row_sum = row_sum * shrink + tl.sum(p, 1)
        v = tl.load(v_ptrs, mask=key[:, None] < left, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None], input_precision="ieee")
        row_max = new_max
        k_ptrs += TILE_N * D
        v_ptrs += TILE_N * D
    tl.store(o_ptr + here, acc / row_sum[:, None], mask=rows[:, None] < n_q)


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
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
