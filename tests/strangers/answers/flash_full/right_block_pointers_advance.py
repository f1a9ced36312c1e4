# Right: FlashAttention tutorial style: block pointers, tl.advance, exp2, keyword constexprs in upper case
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def _attn_fwd_inner(acc, l_i, m_i, q, K_block_ptr, V_block_ptr, qk_scale, N_CTX, BLOCK_N: tl.constexpr):
    for start_n in range(0, N_CTX, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        # -- compute qk ----
        k = tl.load(K_block_ptr)
        qk = tl.dot(q, k, input_precision="ieee") * qk_scale
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.math.exp2(qk - m_ij[:, None])
        # -- compute correction factor
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        # -- update output accumulator --
        acc = acc * alpha[:, None]
        v = tl.load(V_block_ptr)
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m_i = m_ij
        V_block_ptr = tl.advance(V_block_ptr, (BLOCK_N, 0))
        K_block_ptr = tl.advance(K_block_ptr, (0, BLOCK_N))
    return acc, l_i


@triton.jit
def flash_full_kernel(
    Q, K, V, Out, n_q, n_k, scale,
    HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1).to(tl.int64)
    q_offset = off_hz * n_q * HEAD_DIM
    kv_offset = off_hz * n_k * HEAD_DIM
    Q_block_ptr = tl.make_block_ptr(
        base=Q + q_offset, shape=(n_q, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0),
    )
    V_block_ptr = tl.make_block_ptr(
        base=V + kv_offset, shape=(n_k, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(0, 0), block_shape=(BLOCK_N, HEAD_DIM), order=(1, 0),
    )
    K_block_ptr = tl.make_block_ptr(
        base=K + kv_offset, shape=(HEAD_DIM, n_k), strides=(1, HEAD_DIM),
        offsets=(0, 0), block_shape=(HEAD_DIM, BLOCK_N), order=(0, 1),
    )
    O_block_ptr = tl.make_block_ptr(
        base=Out + q_offset, shape=(n_q, HEAD_DIM), strides=(HEAD_DIM, 1),
        offsets=(start_m * BLOCK_M, 0), block_shape=(BLOCK_M, HEAD_DIM), order=(1, 0),
    )
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    qk_scale = scale
    qk_scale *= 1.44269504  # 1/log(2)
    q = tl.load(Q_block_ptr)
    acc, l_i = _attn_fwd_inner(acc, l_i, m_i, q, K_block_ptr, V_block_ptr, qk_scale, n_k, BLOCK_N)
    acc = acc / l_i[:, None]
    tl.store(O_block_ptr, acc.to(Out.type.element_ty))


def flash_full(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Attention whose lengths are multiples of the tiles."""
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = lambda args: (triton.cdiv(n_q, args["BLOCK_M"]), batch * heads, 1)
    flash_full_kernel[grid](
        q, k, v, o, n_q, k.shape[2], d**-0.5 if scale is None else scale,
        HEAD_DIM=d, BLOCK_M=tile_m, BLOCK_N=tile_n,
    )  # fmt: skip
    return o
