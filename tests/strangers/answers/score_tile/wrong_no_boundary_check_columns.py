# No check on the columns of the store where N_k is larger than one tile.
import math

import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    a, b = tl.program_id(0) * TILE_M, tl.program_id(1) * TILE_N
    q_at = tl.make_block_ptr(q_ptr, (n_q, D), (D, 1), (a, 0), (TILE_M, D), (1, 0))
    k_at = tl.make_block_ptr(k_ptr, (D, n_k), (1, D), (0, b), (D, TILE_N), (0, 1))
    s_at = tl.make_block_ptr(s_ptr, (n_q, n_k), (n_k, 1), (a, b), (TILE_M, TILE_N), (1, 0))
    q = tl.load(q_at, boundary_check=(0,), padding_option="zero")
    k = tl.load(k_at, boundary_check=(1,), padding_option="zero")
    tl.store(s_at, scale * tl.dot(q, k, input_precision="ieee"), boundary_check=(0,))


def score_tile(q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    (n_q, d), n_k = q.shape, len(k)
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    score_tile_kernel[triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n)](
        q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return s
