"""Attention forward in CUDA C++, in three steps: a thread per query, tiles in shared memory,
tiles in registers.

The kernels lie in kernels/cuda; here are their launchers: which block, which grid, how much
shared memory. The order of the loops is that of Dao, *FlashAttention-2* (2023), and the values
are those of flash_forward.py. Left out: dropout, query heads that share keys, and any d but 64
and 128.
"""

import torch
from simt import cdiv, kernel
from torch import Tensor


def flash_rows(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention by one thread for each query, which reads every key and value it sees.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16; d: 64 or 128.
    causal: query i sees keys j <= i + N_k - N_q, so the last query sees every key.
    scale: factor of the scores, positive, 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, natural logarithm; a query
    that sees no key gives o = 0 and L = -inf. All sums are taken in float32 or wider.
    A thread's own variables take at most 8 kB, whatever N_k.
    Global memory: q once, k and v once for each query that sees them; o and L once. A thread
    has its query to itself: nothing goes through shared memory, votes or shuffles, and it
    passes no barriers. Keys hidden from it are not loaded, and take no exponentials.

        S = scale * q k^T      L_i = log sum_j exp(S_ij)      o_i = sum_j exp(S_ij - L_i) v_j
    """
    return launch("flash_rows", q, k, v, causal, scale, 128, threads=128)


def flash_tiles(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention by one thread for each query; 128 queries share tiles of 32 keys and values.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16; d: 64 or 128.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, as in `flash_rows`. Scores
    and probabilities are float32 or wider throughout.
    Global memory: k and v once for each 128 queries, as far as one of them sees, where
    `flash_rows` reads them for each; q once by each thread. No lane waits for a bank of shared
    memory. The threads share what is loaded and stored evenly: none moves more than half as
    much again as its share. They shuffle and ballot nothing; at most eight barriers come for
    each tile, and sixteen beside. Tiles hidden from all are not loaded and take no exponential.
    """
    macros = {"TILE_M": 128, "TILE_N": 32}
    return launch("flash_tiles", q, k, v, causal, scale, 128, threads=128, macros=macros)


def flash_registers(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> tuple[Tensor, Tensor]:
    """Attention with tiles of 64 queries and 64 keys; a thread has 8 x 4 or 4 x 8 scores.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16; d: 64 or 128.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, as in `flash_rows`. Scores
    and probabilities are float32 or wider throughout.
    Global memory: q once, for each 64 queries the tiles of k and v that one of them sees, in
    whole sectors. No lane waits for a bank. The 128 threads share loads, o and exponentials
    evenly: none has more than half as much again as its share. No more is shuffled, or told by
    ballots, than maxima and sums of rows take. Barriers are bounded as in `flash_tiles`. Tiles
    hidden from all are not loaded, and take no exponentials.
    """
    shared = 3 * 64 * (q.shape[3] + 4) * 4  # queries, keys, values as padded rows of float
    return launch("flash_registers", q, k, v, causal, scale, 64, threads=128, shared=shared)


def launch(
    name: str, q: Tensor, k: Tensor, v: Tensor, causal: bool, scale: float | None, tile_m: int,
    threads: int, shared: int = 0, macros: dict[str, int] | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Launch the kernel with a block of `threads` for each tile_m queries of each head."""
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    bits = {"BF16": 1} if q.dtype == torch.bfloat16 else {}
    scale = d**-0.5 if scale is None else float(scale)
    grid = (cdiv(n_q, tile_m), batch * heads)
    kernel(name, D=d, **bits, **(macros or {}))[grid, threads, shared](
        q.contiguous(), k.contiguous(), v.contiguous(), o, L, n_q, n_k, scale, int(causal)
    )
    return o, L
