# Ported from the Triton tutorial "Fused Attention"
import torch
import triton
from triton import language as tl
from torch import Tensor


@triton.jit
def _attn_inner(acc, m_i, l_i, q, k_base, v_base, n_k, scale, D: tl.constexpr, BLOCK_N: tl.constexpr, CHECK: tl.constexpr):
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, D)
    for start_n in range(0, n_k, BLOCK_N):
        cols = start_n + offs_n
        at = cols[:, None] * D + offs_d[None, :]
        if CHECK:
            k = tl.load(k_base + at, mask=cols[:, None] < n_k, other=0.0)
        else:
            k = tl.load(k_base + at)
        qk = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        if CHECK:
            qk = tl.where(cols[None, :] < n_k, qk, float("-inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp(qk - m_ij[:, None])
        alpha = tl.exp(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        if CHECK:
            v = tl.load(v_base + at, mask=cols[:, None] < n_k, other=0.0)
        else:
            v = tl.load(v_base + at)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m_i = m_ij
    return acc, m_i, l_i


@triton.jit
def _attn_fwd(Q, K, V, Out, scale, n_q, n_k, D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, CHECK: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1).to(tl.int64)
    rows = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    at = off_hz * n_q * D + rows[:, None] * D + tl.arange(0, D)[None, :]
    if CHECK:
        q = tl.load(Q + at, mask=rows[:, None] < n_q, other=0.0)
    else:
        q = tl.load(Q + at)
    m_i = tl.full([BLOCK_M], float("-inf"), tl.float32)
    l_i = tl.zeros([BLOCK_M], tl.float32)
    acc = tl.zeros([BLOCK_M, D], tl.float32)
    acc, m_i, l_i = _attn_inner(acc, m_i, l_i, q, K + off_hz * n_k * D, V + off_hz * n_k * D, n_k, scale, D, BLOCK_N, CHECK)
    o = (acc / l_i[:, None]).to(Out.dtype.element_ty)
    if CHECK:
        tl.store(Out + at, o, mask=rows[:, None] < n_q)
    else:
        tl.store(Out + at, o)



def flash_ragged(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None, tile_m: int = 64, tile_n: int = 64) -> Tensor:
    Z, H, n_q, d = q.shape
    n_k = k.shape[-2]
    o = torch.empty_like(q)
    config = dict(D=d, BLOCK_M=tile_m, BLOCK_N=tile_n, CHECK=True)
    _attn_fwd[triton.cdiv(n_q, tile_m), Z * H](q, k, v, o, d**-0.5 if scale is None else scale, n_q, n_k, **config)
    return o


def benchmark():
    for n in (128, 256):
        x = torch.randn(1, 1, n, 64)
        print(n, triton.testing.do_bench(lambda: flash_ragged(x, x, x)))


if __name__ == "__main__":
    benchmark()
