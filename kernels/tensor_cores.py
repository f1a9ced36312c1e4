"""Products of matrices on tensor cores, and attention forward that is made of them.

The kernels lie in kernels/cuda; here are their launchers. Which lane holds which number is from
NVIDIA, *Parallel Thread Execution ISA*, mma.m16n8k16; the order of the loops is that of Dao,
*FlashAttention-2* (2023).
"""

import torch
from simt import kernel
from torch import Tensor

from kernels.cuda_flash_forward import launch


def mma_scores(q: Tensor, k: Tensor) -> Tensor:
    """Scores of queries and keys on tensor cores, not scaled: a warp for each 16 x 16 of them.

    q: (M, d), k: (N, d) float16 or bfloat16, contiguous; M, N and d are multiples of 16.
    Returns s (M, N) float32: s_ij = sum_c q_ic k_jc, summed in float32 by mma_m16n8k16, each
    product once.
    Bytes moved: q is loaded once per 16 keys, k once per 16 queries; s is stored once,
    256 numbers by each warp.
    """
    (m, d), n = q.shape, k.shape[0]
    s = torch.empty(m, n, dtype=torch.float32, device=q.device)
    bits = {"BF16": 1} if q.dtype == torch.bfloat16 else {}
    kernel("mma_scores", **bits)[(n // 16, m // 16), 32](q, k, s, n, d)
    return s


def flash_mma(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention on tensor cores: each of four warps owns 16 queries; all share up to 64 keys.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16; d: 64 or 128.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, as in `flash_rows`, every
    product of matrices by mma_m16n8k16. The probabilities are rounded to the dtype of v before
    they meet it, and nothing else: the scale meets scores in float32. What o is divided by may
    be their sum before that or after it; that of L is the sum before.
    Global memory: q once, for each 64 queries the tiles of k and v that one of them sees; each
    request uses at least half of every sector that it touches. No lane waits for a bank.
    Threads share loads, o and exponentials as in `flash_registers`, barriers are bounded
    as there. Of tiles that no query sees no products are made, and no exponentials are taken to
    hide them.
    """
    macros = {"TILE_M": 64, "TILE_N": 64}
    return launch("flash_mma", q, k, v, causal, scale, 64, threads=128, macros=macros)


def flash_async(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention on tensor cores that loads the next keys and values while it computes on these.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16; d: 64 or 128.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, as in `flash_mma`.
    Global memory: as in `flash_mma`, with 128 queries for 64 and q in whole sectors. While a
    tile is multiplied, with its keys or its values, the next one comes by cp_async. No lane
    waits for a bank. Shares and barriers are bounded as there.
    """
    macros = {"TILE_M": 128, "TILE_N": 64}
    rows = 128 + 2 * 2 * 64  # of queries, and of keys and values in two stages
    shared = rows * q.shape[3] * 2  # two bytes each
    return launch("flash_async", q, k, v, causal, scale, 128, 128, shared, macros)
