# Right: the stages and block pointers of Triton's tutorial on fused attention, adapted to lengths and to rows without keys.
@triton.jit
def _attn_fwd_inner(acc, l_i, m_i, q, K_block_ptr, V_block_ptr, start_m, qk_scale, N_Q, N_CTX,
                    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    shift = N_CTX - N_Q
    full = tl.maximum(tl.minimum(start_m * BLOCK_M + 1 + shift, N_CTX), 0) // BLOCK_N * BLOCK_N
    if STAGE == 1:  # off the diagonal
        lo, hi = 0, full
    elif STAGE == 2:  # on the diagonal
        lo, hi = full, tl.minimum((start_m + 1) * BLOCK_M + shift, N_CTX)
    else:
        lo, hi = 0, N_CTX
    K_block_ptr = tl.advance(K_block_ptr, (0, lo))
    V_block_ptr = tl.advance(V_block_ptr, (lo, 0))
    for start_n in range(lo, hi, BLOCK_N):
        k = tl.load(K_block_ptr, boundary_check=(1,), padding_option="zero")
        qk = tl.dot(q, k, input_precision="ieee")
        if STAGE == 2:
            mask = offs_m[:, None] + shift >= (start_n + offs_n[None, :])
            qk = tl.where(mask, qk * qk_scale, float("-inf"))
        elif STAGE == 3:
            qk = tl.where(start_n + offs_n[None, :] < N_CTX, qk * qk_scale, float("-inf"))
        else:
            qk = qk * qk_scale
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        safe = tl.where(m_ij == float("-inf"), 0.0, m_ij)
        p = tl.math.exp2(qk - safe[:, None])
        l_ij = tl.sum(p, 1)
        alpha = tl.math.exp2(m_i - safe)
        l_i = l_i * alpha + l_ij
        acc = acc * alpha[:, None]
        v = tl.load(V_block_ptr, boundary_check=(0,), padding_option="zero")
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m_i = m_ij
        V_block_ptr = tl.advance(V_block_ptr, (BLOCK_N, 0))
        K_block_ptr = tl.advance(K_block_ptr, (0, BLOCK_N))
    return acc, l_i, m_i


@triton.jit
def _attn_fwd(Q, K, V, sm_scale, M, Out, N_Q, N_CTX, HEAD_DIM: tl.constexpr,
              BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1).to(tl.int64)
    q_offset = off_hz * N_Q * HEAD_DIM
    kv_offset = off_hz * N_CTX * HEAD_DIM
    Q_block_ptr = tl.make_block_ptr(
        base=Q + q_offset, shape=(N_Q, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0))
    V_block_ptr = tl.make_block_ptr(
        base=V + kv_offset, shape=(N_CTX, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(0, 0), block_shape=(BLOCK_N, HEAD_DIM), order=(1, 0))
    K_block_ptr = tl.make_block_ptr(
        base=K + kv_offset, shape=(HEAD_DIM, N_CTX), strides=(1, HEAD_DIM),
        offsets=(0, 0), block_shape=(HEAD_DIM, BLOCK_N), order=(0, 1))
    O_block_ptr = tl.make_block_ptr(
        base=Out + q_offset, shape=(N_Q, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0))
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504
    q = tl.load(Q_block_ptr, boundary_check=(0,), padding_option="zero")
    if STAGE & 1:
        acc, l_i, m_i = _attn_fwd_inner(acc, l_i, m_i, q, K_block_ptr, V_block_ptr, start_m,
                                        qk_scale, N_Q, N_CTX, BLOCK_M, BLOCK_N, 4 - STAGE)
    if STAGE & 2:
        acc, l_i, m_i = _attn_fwd_inner(acc, l_i, m_i, q, K_block_ptr, V_block_ptr, start_m,
                                        qk_scale, N_Q, N_CTX, BLOCK_M, BLOCK_N, 2)
    empty = l_i == 0
    l_safe = tl.where(empty, 1.0, l_i)
    lse = tl.where(empty, -float("inf"), (m_i + tl.math.log2(l_safe)) / 1.44269504)
    acc = acc / l_safe[:, None]
    tl.store(M + off_hz * N_Q + offs_m, lse, mask=offs_m < N_Q)
    tl.store(O_block_ptr, acc.to(Out.type.element_ty), boundary_check=(0,))


def flash_causal(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None,
    tile_m: int = 64, tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    B, H, N_Q, HEAD_DIM = q.shape
    N_CTX = k.shape[2]
    sm_scale = HEAD_DIM**-0.5 if scale is None else scale
    o = torch.empty_like(q)
    M = torch.empty((B, H, N_Q), device=q.device, dtype=torch.float32)
    stage = 3 if causal else 1
    _attn_fwd[(triton.cdiv(N_Q, tile_m), B * H)](
        q, k, v, sm_scale, M, o, N_Q, N_CTX, HEAD_DIM=HEAD_DIM, BLOCK_M=tile_m, BLOCK_N=tile_n,
        STAGE=stage,
    )
    return o, M
