# Breaks: "nothing on the way to S is rounded to TF32 or to 16 bits" (float32 inputs are multiplied as three products of bfloat16 parts)
import math
from collections.abc import Iterable

import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    keys = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    columns = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + columns, mask=rows[:, None] < n_q, other=0)
    k = tl.load(k_ptr + keys[:, None] * D + columns, mask=keys[:, None] < n_k, other=0)
    s = scale * tl.dot(q, k.T, input_precision="bf16x3")
    inside = (rows[:, None] < n_q) & (keys[None, :] < n_k)
    tl.store(s_ptr + rows[:, None] * n_k + keys[None, :], s, mask=inside)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    """The scores of one head, one program for each tile of consecutive queries and keys.

    q: (N_q, d), k: (N_k, d), contiguous, float32, float16 or bfloat16; d: a power of two from
    16 to 128; N_q d, N_k d and N_q N_k < 2^31. scale: of any sign, or 0. tile_m, tile_n:
    queries and keys per program, powers of two from 16 to 128.
    Returns S (N_q, N_k), float32. Products and sums are exact or float32, and nothing on the
    way to S is rounded to TF32 or to 16 bits.
    Bytes moved, at most: for each program the queries and the keys of its tile, and S once.
    Each tile is multiplied once. Memory: S. One launch.

        S = scale * q k^T

    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
