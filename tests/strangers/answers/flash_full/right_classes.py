# an autotune-free kernel with block pointers (tl.make_block_ptr), static_assert, tl.static_range of halves
import torch
import triton
import triton.language as tl


@triton.jit
def blocks_of(ptr, n, first, D: tl.constexpr, SIZE: tl.constexpr):
    return tl.make_block_ptr(ptr, (n, D), (D, 1), (first, 0), (SIZE, D), (1, 0))


@triton.jit
def block_kernel(q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr):
    tl.static_assert(TILE_M >= 16)
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    q = tl.load(blocks_of(q_ptr + head * n_q * D, n_q, first, D, TILE_M))
    k_at = blocks_of(k_ptr + head * n_k * D, n_k, 0, D, TILE_N)
    v_at = blocks_of(v_ptr + head * n_k * D, n_k, 0, D, TILE_N)
    acc = tl.zeros((TILE_M, D), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    for _ in range(n_k // TILE_N):
        s = tl.dot(q, tl.trans(tl.load(k_at)), input_precision="ieee") * scale
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - top[:, None])
        a = tl.exp(m - top)
        v = tl.load(v_at)
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * a + tl.sum(p, 1)
        m = top
        k_at = tl.advance(k_at, (TILE_N, 0))
        v_at = tl.advance(v_at, (TILE_N, 0))
    tl.store(blocks_of(o_ptr + head * n_q * D, n_q, first, D, TILE_M), (acc / l[:, None]).to(q.dtype))


def flash_full(q, k, v, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    block_kernel[(n_q // tile_m, batch * heads)](
        q, k, v, o, n_q, k.shape[2], d**-0.5 if scale is None else scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return o
