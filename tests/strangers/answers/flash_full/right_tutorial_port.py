# block pointers, as in Triton's tutorial
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def _attn_fwd(Q, K, V, Out, sm_scale, N_CTX, KV_CTX, HEAD_DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1)
    qo_off = off_hz.to(tl.int64) * N_CTX * HEAD_DIM
    kv_off = off_hz.to(tl.int64) * KV_CTX * HEAD_DIM
    Q_bp = tl.make_block_ptr(Q + qo_off, (N_CTX, HEAD_DIM), (HEAD_DIM, 1), (start_m * BLOCK_M, 0), (BLOCK_M, HEAD_DIM), (1, 0))
    V_bp = tl.make_block_ptr(V + kv_off, (KV_CTX, HEAD_DIM), (HEAD_DIM, 1), (0, 0), (BLOCK_N, HEAD_DIM), (1, 0))
    K_bp = tl.make_block_ptr(K + kv_off, (HEAD_DIM, KV_CTX), (1, HEAD_DIM), (0, 0), (HEAD_DIM, BLOCK_N), (0, 1))
    O_bp = tl.make_block_ptr(Out + qo_off, (N_CTX, HEAD_DIM), (HEAD_DIM, 1), (start_m * BLOCK_M, 0), (BLOCK_M, HEAD_DIM), (1, 0))
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, HEAD_DIM], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504
    q = tl.load(Q_bp)
    for start_n in range(0, KV_CTX, BLOCK_N):
        k = tl.load(K_bp)
        qk = tl.dot(q, k, input_precision="ieee") * qk_scale
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        qk = qk - m_ij[:, None]
        p = tl.math.exp2(qk)
        l_ij = tl.sum(p, 1)
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + l_ij
        acc = acc * alpha[:, None]
        v = tl.load(V_bp)
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        m_i = m_ij
        K_bp = tl.advance(K_bp, (0, BLOCK_N))
        V_bp = tl.advance(V_bp, (BLOCK_N, 0))
    acc = acc / l_i[:, None]
    tl.store(O_bp, acc.to(Out.type.element_ty))


def flash_full(q, k, v, scale=None, tile_m=64, tile_n=64):
    o = torch.empty_like(q)
    B, H, N, D = q.shape
    _attn_fwd[(N // tile_m, B * H, 1)](q, k, v, o, D ** -0.5 if scale is None else scale, N, k.shape[2], D, tile_m, tile_n)
    return o
