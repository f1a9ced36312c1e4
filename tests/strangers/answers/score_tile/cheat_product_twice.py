# the tile is multiplied twice, and the larger of both is taken
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def scores(q_ptr, k_ptr, s_ptr, n_q, n_k, scale, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    down, right = tl.cdiv(n_q, M), tl.cdiv(n_k, N)
    pid = tl.program_id(0)
    a, b = tl.swizzle2d(pid // right, pid % right, down, right, 4)
    r = a * M + tl.arange(0, M)
    j = b * N + tl.arange(0, N)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + r[:, None] * D + c, mask=r[:, None] < n_q, other=0.0)
    kt = tl.load(k_ptr + j[None, :] * D + c[:, None], mask=j[None, :] < n_k, other=0.0)
    s = tl.dot(q, kt, tl.zeros((M, N), tl.float32), input_precision="ieee")
    s = tl.maximum(s, tl.trans(tl.dot(tl.trans(kt), tl.trans(q), input_precision="ieee")))
    tl.store(s_ptr + r[:, None] * n_k + j, s * scale, mask=(r < n_q)[:, None] & (j < n_k))


def score_tile(q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    s = torch.empty(q.shape[0], k.shape[0], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(len(q), tile_m) * triton.cdiv(len(k), tile_n),)
    scores[grid](q, k, s, len(q), len(k), scale, D=q.shape[1], M=tile_m, N=tile_n)
    return s
