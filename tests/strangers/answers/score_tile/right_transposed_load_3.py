# style: keys loaded transposed by their addresses, inputs widened to float32, tiles by the base pointer
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    i, j = tl.program_id(0) * TILE_M, tl.program_id(1) * TILE_N
    r, c, f = tl.arange(0, TILE_M), tl.arange(0, TILE_N), tl.arange(0, D)
    row_ok, col_ok = r < n_q - i, c < n_k - j
    a = tl.load(q_ptr + i * D + (r[:, None] * D + f), mask=row_ok[:, None], other=0).to(tl.float32)
    bt = tl.load(k_ptr + j * D + (f[:, None] + c * D), mask=col_ok[None, :], other=0).to(tl.float32)
    product = tl.dot(a, bt, tl.zeros((TILE_M, TILE_N), tl.float32), input_precision="ieee")
    tl.store(s_ptr + i * n_k + j + r[:, None] * n_k + c, product * scale, mask=row_ok[:, None] & col_ok)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    """The scores of one head, one program for each tile of them.

    q: (N_q, d), k: (N_k, d), contiguous, float32, float16 or bfloat16; d: a power of two from
    16 to 128; N_q d, N_k d and N_q N_k < 2^31. scale: of any sign, or 0. tile_m, tile_n:
    queries and keys per program, powers of two from 16 to 128.
    Returns S (N_q, N_k), float32. Products and sums are exact or float32, and nothing on the
    way to S is rounded to TF32 or to 16 bits.
    Bytes moved, at most: for each program the queries and the keys of its tile, and S once.
    Memory: S.

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
