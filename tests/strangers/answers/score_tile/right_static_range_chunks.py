# Right: the width is cut into pieces of 16 by tl.static_range, accumulated by tl.dot's third argument
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    i = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    j = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    c = tl.arange(0, 16)
    acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for piece in tl.static_range(0, D, 16):
        q = tl.load(q_ptr + i[:, None] * D + (piece + c)[None, :], mask=i[:, None] < n_q, other=0.0)
        k_t = tl.load(k_ptr + j[None, :] * D + (piece + c)[:, None], mask=j[None, :] < n_k, other=0.0)
        acc = tl.dot(q, k_t, acc, input_precision="ieee")
    there = i[:, None] * n_k + j[None, :]
    tl.store(s_ptr + there, acc * scale, mask=(i[:, None] < n_q) & (j[None, :] < n_k))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    """The scores of one head, one program for each tile of consecutive queries and keys."""
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
