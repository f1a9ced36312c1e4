"""The backward pass of attention in CUDA C++: delta, dK and dV, dQ; and a rival for comparison.

The first three kernels are those of flash_backward.py, on tensor cores: P is recomputed from L,
no two blocks add to the same numbers, and no N_q x N_k matrix lies in memory.
`blockwise_forward` and `blockwise_backward` go the other way, keys outside and queries
inside, with the maxima, the denominators and the output itself kept in global memory.
"""

import torch
from simt import cdiv, kernel
from torch import Tensor


def flash_delta(o: Tensor, do: Tensor) -> Tensor:
    """delta_i = sum_c o_ic do_ic, one number per query, which all its score gradients share.

    o, do: (B, H, N, d) float16 or bfloat16, d 64 or 128.
    Returns delta (B, H, N) float32, summed in float32 or wider.
    Traffic: o and do are loaded once, in whole sectors; delta is stored once. A block has 16
    rows; a thread loads at most half as much again as its share of them, and stores one delta
    to four. What lanes hand each other takes at most 32 shuffles or ballots a row, or shared
    memory, where a lane reads at most 40 numbers.
    """
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    rows, warps = delta.numel(), 16
    kernel("flash_delta", D=o.shape[3], **_type(o))[cdiv(rows, warps), 32 * warps](
        o.contiguous(), do.contiguous(), delta, rows
    )
    return delta


def flash_dkdv(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The gradients of keys and values: one block for each tile of keys, queries in its loop.

    q, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16, d 64 or 128; L, delta:
    (B, H, N_q) float32, the log-sum-exps of the forward pass (-inf for a query that sees no
    key) and `flash_delta`, which is finite.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, 1/sqrt(d) if
    None.
    Returns dk, dv (B, H, N_k, d), same dtype, summed in float32, every product of matrices by
    mma_m16n8k16, each product once. P and dS alone are rounded to 16 bits, once.
    Traffic: k and v are loaded once; q, do, L and delta once for each tile of keys, from the
    first tile of queries that sees one of its keys; dk and dv are stored once. The next tile
    of q and do comes by cp_async while this one is multiplied. A block's threads share loads,
    stores and exponentials evenly, each at most half as much again as its share. No lane waits
    for a bank, and barriers are bounded as in `flash_tiles`.

        S^T = scale * k q^T        P^T = exp(S^T - L)        dP^T = v do^T
        dS^T = P^T (dP^T - delta)        dv = P^T do        dk = scale * dS^T q
    """
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    tile_m, tile_n = d, 128
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    grid, shared = (cdiv(n_k, tile_n), batch * heads), 2 * 2 * tile_m * (d + 8) * q.itemsize
    kernel("flash_dkdv", D=d, TILE_M=tile_m, TILE_N=tile_n, **_type(q))[grid, 2 * d, shared](
        q, k, v, do, L.contiguous(), delta.contiguous(), dk, dv, n_q, n_k, _scale(scale, d),
        int(causal),
    )  # fmt: skip
    return dk, dv


def flash_dq(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of the queries: one block for each tile of queries, keys in its loop.

    q, k, v, do, L, delta, causal, scale: as in `flash_dkdv`.
    Returns dq (B, H, N_q, d), same dtype, summed in float32, every product of matrices by
    mma_m16n8k16, each product once. dS alone is rounded to 16 bits, once.
    Traffic: q, do, L and delta are loaded once; k and v once for each tile of queries, up to
    the last tile of keys that one of its queries sees; dq is stored once. A block loads no
    number twice but those of L and delta. The next tile comes by cp_async, and shares, banks
    and barriers are bounded, as in `flash_dkdv`.

        S = scale * q k^T        P = exp(S - L)        dP = do v^T
        dS = P (dP - delta)        dq = scale * dS k
    """
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    tile_m, tile_n, blocks = 8192 // d, 64, 2 if d == 64 else 3  # blocks on one multiprocessor
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dq = torch.empty_like(q)
    grid, shared = (cdiv(n_q, tile_m), batch * heads), 2 * 2 * tile_n * (d + 8) * q.itemsize
    built = kernel("flash_dq", D=d, TILE_M=tile_m, TILE_N=tile_n, BLOCKS=blocks, **_type(q))
    built[grid, 128, shared](
        q, k, v, do, L.contiguous(), delta.contiguous(), dq, n_q, n_k, _scale(scale, d),
        int(causal),
    )  # fmt: skip
    return dq


def cuda_attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of attention: `flash_delta`, `flash_dq` and `flash_dkdv`.

    q, o, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16, d 64 or 128; o and
    L (B, H, N_q) float32 are what the forward pass gave.
    causal, scale: as in `flash_dkdv`.
    Returns dq, dk, dv in shape and dtype those of q, k, v. Memory: these, and delta.
    """
    delta = flash_delta(o, do)
    dq = flash_dq(q, k, v, do, L, delta, causal, scale)
    dk, dv = flash_dkdv(q, k, v, do, L, delta, causal, scale)
    return dq, dk, dv


def blockwise_forward(
    q: Tensor, k: Tensor, v: Tensor, block: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention with blocks of keys outside and queries inside, one thread block for each head.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16 or bfloat16, d 64 or 128, N_k from 1 on.
    block: keys in a block, a multiple of 32; a block of keys and values fills shared memory.
    The scores' factor is 1/sqrt(d), and every query sees every key.
    Returns o (B, H, N_q, d), the maxima m and the denominators l (B, H, N_q), all float32.
    Sums are taken in float32 or wider, and nothing is rounded to 16 bits.
    Traffic: k and v are loaded once; q is loaded, and o, m and l are loaded and stored, once
    for each block of keys, in whole sectors. No lane waits for a bank. What is kept of a query
    belongs to one of the block's 16 warps, which share them evenly, and a thread passes at most
    eight barriers for each of its warp's queries in each block, and sixteen beside. For a query
    in a block a lane takes no more exponentials than there are keys, and eight.

        m' = max(m, rowmax S)        a = l exp(m - m')        P = exp(S - m')
        l' = a + rowsum P            o' = (a o + P V) / l'

    Milakov and Gimelshein (2018) for m and l; Dao et al. (FlashAttention, 2022), algorithm 1.
    """
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    o = torch.empty(q.shape, dtype=torch.float32, device=q.device)
    m, l = torch.empty_like(o[..., 0]), torch.empty_like(o[..., 0])
    shared = (2 * block * (d + 1) + 16 * (d + block)) * 4
    kernel("blockwise_forward", D=d, BLOCK=block, **_type(q))[batch * heads, 512, shared](
        q.contiguous(), k.contiguous(), v.contiguous(), o, m, l, n_q, n_k, _scale(None, d)
    )
    return o, m, l


def blockwise_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, m: Tensor, l: Tensor, do: Tensor, block: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of `blockwise_forward`, blocks of keys outside and queries inside again.

    q, k, v, block: as in `blockwise_forward`; o (B, H, N_q, d), m, l (B, H, N_q) float32: what
    it returned. do: (B, H, N_q, d), dtype of q.
    Returns dq (B, H, N_q, d), dk, dv (B, H, N_k, d), all float32.
    Traffic: k and v are loaded once, dk and dv are stored once; q, do, o, m and l are loaded,
    and dq is loaded and stored, once for each block of keys.

        P = exp(S - m) / l        dP = do v^T        dS = P (dP - sum_c o_c do_c)
        dv = P^T do        dk = scale * dS^T q        dq += scale * dS k
    """
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    dq, dk, dv = (torch.empty(x.shape, dtype=torch.float32, device=q.device) for x in (q, k, v))
    shared = (2 * block * (d + 1) + 2 * 16 * (d + block)) * 4
    kernel("blockwise_backward", D=d, BLOCK=block, **_type(q))[batch * heads, 512, shared](
        q.contiguous(), k.contiguous(), v.contiguous(), o, m, l, do.contiguous(), dq, dk, dv,
        n_q, n_k, _scale(None, d),
    )  # fmt: skip
    return dq, dk, dv


def _type(x: Tensor) -> dict[str, int]:
    return {"BF16": 1} if x.dtype == torch.bfloat16 else {}


def _scale(scale: float | None, d: int) -> float:
    return d**-0.5 if scale is None else float(scale)
