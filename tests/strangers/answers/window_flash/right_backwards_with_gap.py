# A while loop from the newest tile back to the first, which leaps over the gap once it has left the window; keys are loaded transposed.
@triton.jit
def window_flash_kernel(
    Q, K, V, O, LSE, heads, n_q, n_k, window, sinks, c,
    qb, qh, qn, qd, kb, kh, kn, kd, vb, vh, vn, vd,
    D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):
    pid, bh = tl.program_id(0), tl.program_id(1).to(tl.int64)
    K += (bh // heads) * kb + (bh % heads) * kh
    V += (bh // heads) * vb + (bh % heads) * vh
    Q += (bh // heads) * qb + (bh % heads) * qh
    rows = pid * BM + tl.arange(0, BM)
    dims = tl.arange(0, D)
    q = tl.load(Q + rows[:, None] * qn + dims[None, :] * qd, mask=(rows < n_q)[:, None], other=0)
    shift = n_k - n_q
    pos = rows + shift
    newest = tl.minimum(pid * BM + BM - 1, n_q - 1) + shift
    oldest = tl.maximum(pid * BM + shift - (window - 1), 0)
    tile = newest // BN
    low = oldest // BN
    resume = (sinks + BN - 1) // BN - 1
    m_i = tl.full([BM], float("-inf"), dtype=tl.float32)
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    while tile >= 0:
        n = tile * BN + tl.arange(0, BN)
        kt = tl.load(K + n[None, :] * kn + dims[:, None] * kd, mask=(n < n_k)[None, :], other=0)
        qk = tl.dot(q, kt, input_precision="ieee") * c
        hidden = (n[None, :] > pos[:, None]) | ((n[None, :] <= pos[:, None] - window) & (n[None, :] >= sinks))
        qk = tl.where(hidden, float("-inf"), qk)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        m_safe = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.exp2(qk - m_safe[:, None])
        a = tl.exp2(m_i - m_safe)
        vt = tl.load(V + n[:, None] * vn + dims[None, :] * vd, mask=(n < n_k)[:, None], other=0)
        acc = tl.dot(p.to(vt.dtype), vt, acc * a[:, None], input_precision="ieee")
        l_i = l_i * a + tl.sum(p, 1)
        m_i = m_ij
        tile = tl.where(tile > low, tile - 1, tl.minimum(tile - 1, resume))
    ok = rows < n_q
    at = bh * n_q + rows
    l_i = tl.where(l_i > 0, l_i, 1.0)
    tl.store(O + at[:, None] * D + dims[None, :], (acc / l_i[:, None]).to(O.dtype.element_ty), mask=ok[:, None])
    tl.store(LSE + at, (m_i + tl.log2(l_i)) * 0.6931471805599453, mask=ok)


def window_flash(q, k, v, window, sinks=0, scale=None, tile_m=None, tile_n=None):
    b, h, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or 32
    tile_n = tile_n or 32
    o = q.new_empty((b, h, n_q, d))
    lse = q.new_empty((b, h, n_q), dtype=torch.float32)
    c = (scale if scale is not None else d**-0.5) * 1.4426950408889634
    window_flash_kernel[(triton.cdiv(n_q, tile_m), b * h)](
        q, k, v, o, lse, h, n_q, n_k, window, sinks, c, *q.stride(), *k.stride(), *v.stride(),
        D=d, BM=tile_m, BN=tile_n,
    )
    return o, lse
