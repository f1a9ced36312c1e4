# style: Triton tutorial: K is loaded transposed by its pointers, sums over D in pieces of 16
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    pid_m, pid_n = tl.program_id(axis=0), tl.program_id(axis=1)
    offs_m = pid_m * TILE_M + tl.arange(0, TILE_M)
    offs_n = pid_n * TILE_N + tl.arange(0, TILE_N)
    acc = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for c in range(0, D, 16):
        offs_k = c + tl.arange(0, 16)
        a = tl.load(q_ptr + (offs_m[:, None] * D + offs_k[None, :]), mask=offs_m[:, None] < n_q, other=0)
        b = tl.load(k_ptr + (offs_n[None, :] * D + offs_k[:, None]), mask=offs_n[None, :] < n_k, other=0)
        acc += tl.dot(a, b, input_precision="ieee")
    mask = (offs_m < n_q)[:, None] & (offs_n < n_k)[None, :]
    tl.store(s_ptr + offs_m[:, None] * n_k + offs_n[None, :], acc * scale, mask=mask)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
