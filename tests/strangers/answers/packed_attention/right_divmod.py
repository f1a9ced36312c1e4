# style: positions and members of the group, one loop
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
    position, member = rows // GROUP, rows % GROUP
    head = kv * GROUP + member  # of all batches: q is contiguous
    real = position < n_q
    at = head * n_q + position
    q = tl.load(q_ptr + at[:, None] * D + columns, mask=real[:, None], other=0.0)
    shift = n_k - n_q
    end = n_k
    if CAUSAL:
        furthest = tl.minimum((first + TILE_M - 1) // GROUP, n_q - 1)
        end = tl.minimum(n_k, tl.maximum(0, furthest + shift + 1))
    for start in range(0, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        inside = keys[:, None] < n_k
        k = tl.load(k_ptr + keys[:, None] * k_row + columns, mask=inside, other=0.0)
        v = tl.load(v_ptr + keys[:, None] * v_row + columns, mask=inside, other=0.0)
        s = scale_2 * tl.dot(q, k.T, input_precision="ieee")
        seen = (keys < n_k)[None, :]
        if CAUSAL:
            seen = seen & (keys[None, :] <= (position + shift)[:, None])
        s = tl.where(seen, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(m_new == float("-inf"), 0.0, m_new)
        alpha = tl.exp2(m - base)
        p = tl.exp2(s - base[:, None])
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    l = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + at[:, None] * D + columns, (acc / l[:, None]).to(q.dtype), mask=real[:, None])
    tl.store(L_ptr + at, (m + tl.log2(l)) * 0.6931471805599453, mask=real)


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
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
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
