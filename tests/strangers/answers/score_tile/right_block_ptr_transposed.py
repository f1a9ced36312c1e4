# Right: block pointers, the keys' one made transposed by strides and order, boundary checks with zero padding
import math

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
    a, b = tl.program_id(0), tl.program_id(1)
    Q = tl.make_block_ptr(
        base=q_ptr, shape=(n_q, D), strides=(D, 1), offsets=(a * TILE_M, 0),
        block_shape=(TILE_M, D), order=(1, 0),
    )
    K_T = tl.make_block_ptr(
        base=k_ptr, shape=(D, n_k), strides=(1, D), offsets=(0, b * TILE_N),
        block_shape=(D, TILE_N), order=(0, 1),
    )
    S = tl.make_block_ptr(
        base=s_ptr, shape=(n_q, n_k), strides=(n_k, 1), offsets=(a * TILE_M, b * TILE_N),
        block_shape=(TILE_M, TILE_N), order=(1, 0),
    )
    q = tl.load(Q, boundary_check=(0,), padding_option="zero")
    k_t = tl.load(K_T, boundary_check=(1,), padding_option="zero")
    tl.store(S, tl.dot(q, k_t, input_precision="ieee") * scale, boundary_check=(0, 1))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
