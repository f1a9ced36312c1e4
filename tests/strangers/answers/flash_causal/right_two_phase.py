# style: stages with and without mask, constexpr branches
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """The state (acc, m, l) of a tile of queries after the tiles of keys from begin to end.

    last: (TILE_M,), the last key that each query sees; used only if MASKED. Without
    MASKED the keys from begin to end fill whole tiles and every query sees all of them.
    """
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        there = keys[:, None] * D + columns[None, :]
        if MASKED:
            k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0.0)
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0.0)
        else:
            k = tl.load(k_ptr + there)
            v = tl.load(v_ptr + there)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2
        if MASKED:
            s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        if MASKED:
            base = tl.where(m_new == float("-inf"), 0.0, m_new)
        else:
            base = m_new
        a = tl.exp2(m - base)
        p = tl.exp2(s - base[:, None])
        l = a * l + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * a[:, None], input_precision="ieee")
        m = m_new
    return acc, m, l


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + tl.arange(0, D)
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    if CAUSAL:
        last = tl.minimum(rows + n_k - n_q, n_k - 1)
        end = tl.minimum(tl.maximum(first + TILE_M + n_k - n_q, 0), n_k)
        whole = tl.maximum(first + n_k - n_q + 1, 0) // TILE_N * TILE_N
        whole = tl.minimum(whole, n_k // TILE_N * TILE_N)
    else:
        last = tl.zeros_like(rows) + (n_k - 1)
        end = n_k
        whole = n_k // TILE_N * TILE_N
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, whole, n_k, scale_2, D, TILE_N, MASKED=False
    )
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, whole, end, n_k, scale_2, D, TILE_N, MASKED=True
    )
    l_safe = tl.where(l == 0, 1.0, l)
    tl.store(o_ptr + here, (acc / l_safe[:, None]).to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + rows, (m + tl.log2(l_safe)) * 0.6931471805599453, mask=rows < n_q)


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    """Attention that reads no tile of keys that none of its queries sees.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d), contiguous, float32 or 16 bits wide; d: a power of
    two from 16 to 128. tile_m, tile_n: powers of two from 16 on. scale: factor of the scores,
    positive, 1/sqrt(d) if None.
    causal: query i sees keys j <= i + N_k - N_q, so the last query sees every key.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, natural logarithm; a query
    that sees no key gives o = 0 and L = -inf. All sums are taken in float32, and on the way to
    o only P may be rounded to 16 bits, and only where it meets v; nothing to TF32.
    Traffic: q once; k and v, for each tile of queries, up to the last tile of keys that one of
    its queries sees. Only these tiles are multiplied, each once. A score takes one exponential.
    In one launch, a program takes one tile of consecutive queries of a head; it may take a
    second: the one that sees fewest keys with the one that sees most, and so on. No load holds
    more than two tiles of queries or keys, and no product more than one of each. Memory: o and
    L.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
