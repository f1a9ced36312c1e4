# Right: three helper functions (load rows, step of the softmax, place of a head), raw pointers.
import torch
import triton
import triton.language as tl


@triton.jit
def load_rows(ptr, rows, n, D: tl.constexpr):
    """Rows of a contiguous (n, D), zeros past the end."""
    return tl.load(
        ptr + rows[:, None] * D + tl.arange(0, D)[None, :], mask=(rows < n)[:, None], other=0.0
    )


@triton.jit
def softmax_step(s, m, l):
    m_new = tl.maximum(m, tl.max(s, axis=1))
    alpha = tl.exp(m - m_new)
    p = tl.exp(s - m_new[:, None])
    return p, alpha, m_new, alpha * l + tl.sum(p, axis=1)


@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    q = load_rows(q_ptr + head * n_q * D, rows, n_q, D)
    m = tl.full([TILE_M], float("-inf"), tl.float32)
    l = tl.full([TILE_M], 0.0, tl.float32)
    acc = tl.zeros([TILE_M, D], tl.float32)
    for tile in range(tl.cdiv(n_k, TILE_N)):
        keys = tile * TILE_N + tl.arange(0, TILE_N)
        k = load_rows(k_ptr + head * n_k * D, keys, n_k, D)
        v = load_rows(v_ptr + head * n_k * D, keys, n_k, D)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where((keys < n_k)[None, :], s, float("-inf"))
        p, alpha, m, l = softmax_step(s, m, l)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
    there = o_ptr + head * n_q * D + rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(there, acc / l[:, None], mask=(rows < n_q)[:, None])


def flash_ragged(q, k, v, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    flash_ragged_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, n_q, k.shape[2], d**-0.5 if scale is None else scale,
        D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o
