# Wrong: the tile that is taken where none is given is no power of two.
@triton.jit
def meet(acc, m, l, q, at, k_ptr, v_ptr, begin, end, n_k, window, sinks, scale,
         k_row, k_column, v_row, v_column, D: tl.constexpr, N: tl.constexpr):
    c = tl.arange(0, D)
    for start in range(begin, end, N):
        j = start + tl.arange(0, N)
        inside = j[:, None] < n_k
        k = tl.load(k_ptr + j[:, None] * k_row + c[None, :] * k_column, mask=inside, other=0.0)
        v = tl.load(v_ptr + j[:, None] * v_row + c[None, :] * v_column, mask=inside, other=0.0)
        back = at[:, None] - j[None, :]
        seen = (back >= 0) & ((back < window) | (j[None, :] < sinks))
        x = tl.where(seen, tl.dot(q, tl.trans(k), input_precision="ieee") * scale, float("-inf"))
        top = tl.maximum(m, tl.max(x, 1))
        base = tl.where(top > float("-inf"), top, 0.0)
        fade, w = tl.exp(m - base), tl.exp(x - base[:, None])
        l = l * fade + tl.sum(w, 1)
        acc = acc * fade[:, None] + tl.dot(w.to(v.dtype), v, input_precision="ieee")
        m = top
    return acc, m, l


@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale,
    q0, q1, q2, q3, k0, k1, k2, k3, v0, v1, v2, v3,
    D: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
):
    both = tl.program_id(1).to(tl.int64)
    b, h = both // H, both % H
    first = tl.program_id(0) * M
    i = first + tl.arange(0, M)
    c = tl.arange(0, D)
    q = tl.load(q_ptr + b * q0 + h * q1 + i[:, None] * q2 + c[None, :] * q3, mask=i[:, None] < n_q, other=0.0)
    k_ptr += b * k0 + h * k1
    v_ptr += b * v0 + h * v1
    acc = tl.zeros([M, D], tl.float32)
    l = tl.zeros([M], tl.float32)
    m = tl.full([M], float("-inf"), tl.float32)
    at = i + (n_k - n_q)
    stop = tl.minimum(first + M, n_q) + n_k - n_q
    sinks_end = tl.minimum(tl.cdiv(sinks, N) * N, stop)
    begin = tl.maximum(first + n_k - n_q - window + 1, 0) // N * N
    begin = tl.maximum(begin, tl.cdiv(sinks, N) * N)
    acc, m, l = meet(acc, m, l, q, at, k_ptr, v_ptr, 0, sinks_end, n_k, window, sinks, scale, k2, k3, v2, v3, D, N)
    acc, m, l = meet(acc, m, l, q, at, k_ptr, v_ptr, begin, stop, n_k, window, sinks, scale, k2, k3, v2, v3, D, N)
    row = both * n_q + i
    safe = tl.where(i < n_q, l, 1.0)
    tl.store(o_ptr + row[:, None] * D + c[None, :], (acc / safe[:, None]).to(o_ptr.dtype.element_ty), mask=i[:, None] < n_q)
    tl.store(L_ptr + row, m + tl.log(safe), mask=i < n_q)


def window_flash(q, k, v, window, sinks=0, scale=None, tile_m=None, tile_n=None):
    B, H, n_q, d = q.shape
    tile_m, tile_n = tile_m or 48, tile_n or 32
    o = torch.empty((B, H, n_q, d), dtype=q.dtype, device=q.device)
    L = torch.empty((B, H, n_q), dtype=torch.float32, device=q.device)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), B * H)](
        q, k, v, o, L, H, n_q, k.shape[2], window, sinks, 1 / math.sqrt(d) if scale is None else scale,
        *q.stride(), *k.stride(), *v.stride(), D=d, M=tile_m, N=tile_n,
    )
    return o, L
