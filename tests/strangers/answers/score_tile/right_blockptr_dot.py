# style: Triton tutorial 03: pid_m, offs_m, accumulator, allow_tf32=False
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
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    offs_m = pid_m * TILE_M + tl.arange(0, TILE_M)
    offs_n = pid_n * TILE_N + tl.arange(0, TILE_N)
    offs_d = tl.arange(0, D)
    q_ptrs = q_ptr + (offs_m[:, None] * D + offs_d[None, :])
    k_ptrs = k_ptr + (offs_d[:, None] + offs_n[None, :] * D)  # transposed as it is loaded
    q = tl.load(q_ptrs, mask=offs_m[:, None] < n_q, other=0.0)
    kt = tl.load(k_ptrs, mask=offs_n[None, :] < n_k, other=0.0)
    accumulator = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    accumulator = tl.dot(q, kt, accumulator, allow_tf32=False)
    c = accumulator * scale
    s_ptrs = s_ptr + n_k * offs_m[:, None] + offs_n[None, :]
    tl.store(s_ptrs, c, mask=(offs_m[:, None] < n_q) & (offs_n[None, :] < n_k))


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
