# no meter of what a kernel holds ('sums: as in flash_full', the online softmax): a @triton.jit function calls itself for the next tile, so that every level holds its own tile of scores: maxima on the way down, one softmax of whole rows on the way up; the compiler sees the tiles of the case for a GPU alone, which take another branch of constexpr
import torch
import triton
import triton.language as tl


@triton.jit
def deeper(m, q, k_ptr, v_ptr, start, n_k, scale, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    columns = tl.arange(0, D)
    keys = start + tl.arange(0, TILE_N)
    there = keys[:, None] * D + columns
    k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
    s = tl.dot(q, k.T, input_precision="ieee") * scale
    s = tl.where(keys < n_k, s, float("-inf"))
    m = tl.maximum(m, tl.max(s, axis=1))
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    if start + TILE_N < n_k:
        acc, m, l = deeper(m, q, k_ptr, v_ptr, start + TILE_N, n_k, scale, D, TILE_M, TILE_N)
    p = tl.exp(s - m[:, None])
    v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
    return acc + tl.dot(p.to(v.dtype), v, input_precision="ieee"), m, l + tl.sum(p, axis=1)


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    if TILE_M == 128 and TILE_N == 64:
        for start in range(0, n_k, TILE_N):
            keys = start + tl.arange(0, TILE_N)
            there = keys[:, None] * D + columns
            k = tl.load(k_ptr + there, mask=keys[:, None] < n_k, other=0)
            v = tl.load(v_ptr + there, mask=keys[:, None] < n_k, other=0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale
            s = tl.where(keys < n_k, s, float("-inf"))
            m_new = tl.maximum(m, tl.max(s, axis=1))
            alpha = tl.exp(m - m_new)
            p = tl.exp(s - m_new[:, None])
            l = alpha * l + tl.sum(p, axis=1)
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = m_new
    else:
        acc, m, l = deeper(m, q, k_ptr, v_ptr, 0, n_k, scale, D, TILE_M, TILE_N)
    tl.store(o_ptr + here, acc / l[:, None], mask=rows[:, None] < n_q)


def flash_ragged(q, k, v, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o
