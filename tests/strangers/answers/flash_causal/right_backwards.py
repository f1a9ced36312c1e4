# keys from the last seen tile back to the first, one loop, while; natural exponentials; a string constexpr as mode
import math

import torch
import triton
import triton.language as tl


@triton.jit
def rows_at(ptr, first, n, D: tl.constexpr, SIZE: tl.constexpr):
    i = first + tl.arange(0, SIZE)
    return tl.load(ptr + i[:, None] * D + tl.arange(0, D)[None, :], mask=i[:, None] < n, other=0.0)


@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, MODE: tl.constexpr,
           D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * M
    i = first + tl.arange(0, M)
    q = rows_at(q_ptr + head * n_q * D, first, n_q, D, M)
    k_ptr += head * n_k * D
    v_ptr += head * n_k * D
    if MODE == "causal":
        last = tl.minimum(i + n_k - n_q, n_k - 1)
        stop = tl.minimum(tl.minimum(first + M, n_q) + n_k - n_q, n_k)
    else:
        last = tl.full([M], 0, tl.int32) + (n_k - 1)
        stop = n_k
    acc = tl.zeros([M, D], tl.float32)
    l = tl.zeros([M], tl.float32)
    m = tl.full([M], float("-inf"), tl.float32)
    start = tl.cdiv(tl.maximum(stop, 0), N) * N - N
    while start >= 0:
        k, v = rows_at(k_ptr, start, n_k, D, N), rows_at(v_ptr, start, n_k, D, N)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        j = start + tl.arange(0, N)
        s = tl.where(j[None, :] <= last[:, None], s, float("-inf"))
        top = tl.maximum(m, tl.max(s, 1))
        base = tl.where(top == float("-inf"), 0.0, top)
        a, p = tl.exp(m - base), tl.exp(s - base[:, None])
        acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        l = l * a + tl.sum(p, 1)
        m = top
        start -= N
    safe = tl.where(l > 0, l, 1.0)
    at = head * n_q * D + i[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(o_ptr + at, (acc / safe[:, None]).to(o_ptr.dtype.element_ty), mask=i[:, None] < n_q)
    tl.store(L_ptr + head * n_q + i, m + tl.log(safe), mask=i < n_q)


def flash_causal(q, k, v, causal=False, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o, L = torch.empty_like(q), torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, n_q, k.shape[2], 1 / math.sqrt(d) if scale is None else scale,
        MODE="causal" if causal else "full", D=d, M=tile_m, N=tile_n,
    )
    return o, L
