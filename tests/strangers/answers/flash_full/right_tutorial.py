# Right: port of Triton's fused-attention tutorial, block pointers that tl.advance moves, exp2 inside.
import torch
import triton
import triton.language as tl


@triton.jit
def _attn_fwd(
    Q, K, V, Out, N_Q, N_K, qk_scale,
    HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1).to(tl.int64)
    q_offset = off_hz * N_Q * HEAD_DIM
    kv_offset = off_hz * N_K * HEAD_DIM
    Q_block_ptr = tl.make_block_ptr(
        base=Q + q_offset, shape=(N_Q, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0),
    )  # fmt: skip
    K_block_ptr = tl.make_block_ptr(
        base=K + kv_offset, shape=(HEAD_DIM, N_K), strides=(1, HEAD_DIM),
        offsets=(0, 0), block_shape=(HEAD_DIM, BLOCK_N), order=(0, 1),
    )  # fmt: skip
    V_block_ptr = tl.make_block_ptr(
        base=V + kv_offset, shape=(N_K, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(0, 0), block_shape=(BLOCK_N, HEAD_DIM), order=(1, 0),
    )  # fmt: skip
    O_block_ptr = tl.make_block_ptr(
        base=Out + q_offset, shape=(N_Q, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0),
    )  # fmt: skip
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    q = tl.load(Q_block_ptr)
    for start_n in range(0, N_K, BLOCK_N):
        k = tl.load(K_block_ptr)
        qk = tl.dot(q, k, input_precision="ieee") * qk_scale
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(V_block_ptr)
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m_i = m_ij
        V_block_ptr = tl.advance(V_block_ptr, (BLOCK_N, 0))
        K_block_ptr = tl.advance(K_block_ptr, (0, BLOCK_N))
    acc = acc / l_i[:, None]
    tl.store(O_block_ptr, acc.to(Out.type.element_ty))


def flash_full(q, k, v, scale=None, tile_m=64, tile_n=64):
    B, H, N_Q, D = q.shape
    sm_scale = D**-0.5 if scale is None else scale
    o = torch.empty_like(q)
    grid = lambda args: (triton.cdiv(N_Q, args["BLOCK_M"]), B * H, 1)
    _attn_fwd[grid](
        q, k, v, o, N_Q, k.shape[2], sm_scale * 1.4426950408889634,
        HEAD_DIM=D, BLOCK_M=tile_m, BLOCK_N=tile_n,
    )  # fmt: skip
    return o
