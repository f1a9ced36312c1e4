"""Attention in which several query heads share one head of keys and values (MQA, GQA).

The rows of a tile in `packed_attention` are pairs of a position and a head of the group, as in
the decode kernels of vLLM, SGLang and FlashAttention-3. Left out: many programs for one group's
keys (flash_decoding.py), a paged cache (paged_attention.py), and the backward pass.
"""

import math

import torch
import triton
import triton.language as tl
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    """Attention of H query heads with H_kv heads of keys and values, which are not copied.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32; H_kv divides H. H_kv = H is multi-head,
    H_kv = 1 multi-query attention. Query head h takes the KV head floor(h / g), g = H / H_kv.
    causal: query i sees keys j <= i + N_k - N_q.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Memory: the output and a few copies of the scores of all heads; nothing of the size of k
    and v. Each score is computed once, an eighth of them twice at the most, and none with
    another KV head.

        S_h = scale * q_h k_{h // g}^T        o_h = softmax(S_h) v_{h // g}

    Shazeer (2019), Ainslie et al. (2023).
    """
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    ### BEGIN SOLUTION
    query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
    for h in range(heads):
        kv = h // (heads // kv_heads)
        s = scale * (q[:, h] @ k[:, kv].transpose(1, 2))
        if causal:
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1)
        p = p.masked_fill(torch.isneginf(s), 0)  # the softmax of a row of -inf is NaN
        o[:, h] = p @ v[:, kv]
    ### END SOLUTION
    return o


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    """The queries of all heads that share a KV head, as rows of one matrix.

    q: (B, H, N_q, d) of any float dtype and strides; kv_heads: the number H_kv of KV heads,
    which divides H; g = H / H_kv.
    Returns rows (B, H_kv, N_q g, d), same dtype: row r of KV head kv is position r // g of
    query head kv g + r % g. So the g heads of one position lie side by side. May be a view;
    nothing is multiplied.
    """
    return q.unflatten(1, (kv_heads, -1)).transpose(2, 3).flatten(2, 3)


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    """Back from packed rows to heads: the inverse of `pack_heads`.

    rows: (B, H_kv, N_q g, d) of any float dtype and strides; heads: the number H = g H_kv of
    query heads.
    Returns o (B, H, N_q, d), same dtype: position i of head h is row i g + h % g of KV head
    h // g. May be a view; nothing is multiplied.
    """
    return rows.unflatten(2, (-1, heads // rows.shape[1])).transpose(2, 3).flatten(1, 2)


@triton.jit
def packed_attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H_kv, n_q, n_k, scale_2,
    k_batch, k_head, k_row, v_batch, v_head, v_row,
    CAUSAL: tl.constexpr, GROUP: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M packed rows of one KV head meet the keys that they see."""
    kv = tl.program_id(1).to(tl.int64)  # counts the KV heads of all batches
    k_ptr += kv // H_kv * k_batch + kv % H_kv * k_head
    v_ptr += kv // H_kv * v_batch + kv % H_kv * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    ### BEGIN SOLUTION from flash_causal 2,1
    position = rows // GROUP
    real = position < n_q
    here = (kv * GROUP + rows % GROUP) * n_q + position
    q = tl.load(q_ptr + here[:, None] * D + columns, mask=real[:, None], other=0)
    if CAUSAL:
        last = position + n_k - n_q
        end = tl.minimum((first + TILE_M - 1) // GROUP + 1 + n_k - n_q, n_k)
    else:
        last = tl.full((TILE_M,), n_k - 1, tl.int32)
        end = n_k
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        held = keys[:, None] < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=held, other=0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=held, other=0)
        s = tl.dot(q, k.T, input_precision="ieee")
        s = tl.where(keys <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
        shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
        alpha = tl.exp2(m - shift)
        p = tl.exp2(s * scale_2 - shift[:, None])
        l = alpha * l + tl.sum(p, axis=1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + here[:, None] * D + columns, acc / l[:, None], mask=real[:, None])
    tl.store(L_ptr + here, (m + tl.log2(l)) * 0.6931471805599453, mask=real)
    ### END SOLUTION


def packed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention of grouped heads that loads keys and values once for all heads of a group.

    q: (B, H, N_q, d), k, v: (B, H_kv, N_k, d) float32, float16 or bfloat16; H_kv divides H;
    d: a power of two from 16 to 128. q has any strides. k and v may be views into a longer
    cache, and are not copied: only the d numbers of a row have to be contiguous; batches and
    heads may lie 2^30 elements apart, the rows of a head lie within 2^31.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None. tile_m rows, packed as in `pack_heads`, meet tile_n keys at a time,
    powers of two from 16 on.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural log-sum-exp; a
    query that sees no key gives o = 0 and L = -inf. All sums are taken in float32, and on the
    way to o only P may be rounded to 16 bits, and only where it meets v; nothing to TF32.
    Traffic: q once; k and v, for each tile of the N_q H / H_kv rows of a KV head, up to the
    last tile of keys that one of its rows sees: once in all if the rows fit into one tile. Only
    these tiles are multiplied, each once. A score takes one exponential. In one launch, one
    program for each tile of rows of a KV head; of more than 128 tiles in all a program may take
    several. No load holds more than two tiles of rows or keys, and no product more than one of
    each. Memory: o and L, and a copy of q if it is not contiguous.
    """
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    group = heads // kv_heads
    tile_m = tile_m or min(64, max(16, triton.next_power_of_2(n_q * group)))
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    q = q.contiguous()
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    packed_attention_kernel[(triton.cdiv(n_q * group, tile_m), batch * kv_heads)](
        q, k, v, o, L, kv_heads, n_q, n_k, scale_2, *k.stride()[:3], *v.stride()[:3],
        CAUSAL=causal, GROUP=group, D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
