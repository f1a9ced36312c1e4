# Sinks and window have a state each, merged at the end as blocks of keys are: the sinks' tiles are left out of the window's; one flat grid, heads first.
@triton.jit
def state(q, k_ptr, v_ptr, begin, end, n_k, at, window, sinks, c, kr, kc, vr, vc,
          D: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    acc = tl.zeros((M, D), tl.float32)
    l = tl.zeros((M,), tl.float32)
    m = tl.full((M,), float("-inf"), tl.float32)
    col = tl.arange(0, D)[None, :]
    for start in range(begin, end, N):
        key = start + tl.arange(0, N)
        real = (key < n_k)[:, None]
        k = tl.load(k_ptr + key[:, None] * kr + col * kc, real, 0)
        v = tl.load(v_ptr + key[:, None] * vr + col * vc, real, 0)
        s = tl.dot(q, k.T, input_precision="ieee") * c
        recent = key[None, :] + window > at[:, None]
        s += tl.where((key[None, :] <= at[:, None]) & (recent | (key[None, :] < sinks)), 0.0, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        ref = tl.where(new == float("-inf"), 0.0, new)
        p = tl.exp2(s - ref[:, None])
        a = tl.exp2(m - ref)
        l = a * l + tl.sum(p, 1)
        acc = tl.dot(p.to(v.dtype), v, a[:, None] * acc, input_precision="ieee")
        m = new
    return acc, m, l


@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, c,
    qb, qh, qr, qc, kb, kh, kr, kc, vb, vh, vr, vc,
    D: tl.constexpr, M: tl.constexpr, N: tl.constexpr,
):
    tiles = tl.cdiv(n_q, M)
    pid = tl.program_id(0)
    head, tile = (pid // tiles).to(tl.int64), pid % tiles
    b, h = head // H, head % H
    row = tile * M + tl.arange(0, M)
    col = tl.arange(0, D)[None, :]
    q = tl.load(q_ptr + b * qb + h * qh + row[:, None] * qr + col * qc, (row < n_q)[:, None], 0)
    k_ptr += b * kb + h * kh
    v_ptr += b * vb + h * vh
    at = row + n_k - n_q
    lowest = tile * M + n_k - n_q
    end = tl.minimum(lowest + M, n_k)
    behind_sinks = tl.cdiv(sinks, N) * N
    begin = tl.maximum(tl.maximum(lowest - window + 1, 0) // N * N, behind_sinks)
    a1, m1, l1 = state(q, k_ptr, v_ptr, 0, tl.minimum(behind_sinks, end), n_k, at, window, sinks, c, kr, kc, vr, vc, D, M, N)
    a2, m2, l2 = state(q, k_ptr, v_ptr, begin, end, n_k, at, window, sinks, c, kr, kc, vr, vc, D, M, N)
    m = tl.maximum(m1, m2)
    ref = tl.where(m == float("-inf"), 0.0, m)
    f1, f2 = tl.exp2(m1 - ref), tl.exp2(m2 - ref)
    l = f1 * l1 + f2 * l2
    o = (f1[:, None] * a1 + f2[:, None] * a2) / l[:, None]
    out = head * n_q + row
    tl.store(o_ptr + out[:, None] * D + col, o, (row < n_q)[:, None])
    tl.store(L_ptr + out, (m + tl.log2(l)) / 1.4426950408889634, row < n_q)


def window_flash(q, k, v, window, sinks=0, scale=None, tile_m=None, tile_n=None):
    batch, heads, n_q, d = q.shape
    tile_m, tile_n = tile_m or 32, tile_n or 32
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty((batch, heads, n_q), dtype=torch.float32, device=q.device)
    c = (scale if scale is not None else 1 / d**0.5) / math.log(2)
    window_flash_kernel[(triton.cdiv(n_q, tile_m) * batch * heads,)](
        q, k, v, o, L, heads, n_q, k.shape[2], window, sinks, c, *q.stride(), *k.stride(), *v.stride(),
        D=d, M=tile_m, N=tile_n,
    )
    return o, L
