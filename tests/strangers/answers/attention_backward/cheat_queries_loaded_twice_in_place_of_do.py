# course style; delta is made in the kernel of dq, which loads do once for both, and q twice instead ("q, do, L and delta are loaded once")
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor
from kernels import causal_flash


@triton.jit
def visit_queries(
    dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h, begin, end, n_q, n_k, scale_2,
    MASKED: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    for start in range(begin, end, TILE_M):
        queries = start + tl.arange(0, TILE_M)
        q = q_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        s_t = tl.dot(k, q.T, input_precision="ieee")
        # A row past the last query has L = inf, and its P is exp2(-inf) = 0.
        L = tl.load(L_ptr + queries, mask=queries < n_q, other=float("inf"))
        p_t = tl.exp2(s_t * scale_2 - (L * 1.4426950408889634)[None, :])  # L log2(e)
        if MASKED:
            p_t = tl.where(keys[:, None] <= queries[None, :] + (n_k - n_q), p_t, 0.0)
        do = do_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        dv = tl.dot(p_t.to(do.dtype), do, dv, input_precision="ieee")
        dp_t = tl.dot(v, do.T, input_precision="ieee")
        delta = tl.load(delta_ptr + queries, mask=queries < n_q, other=0.0)
        ds_t = p_t * (dp_t - delta[None, :])
        dk = tl.dot(ds_t.to(q.dtype), q, dk, input_precision="ieee")
    return dk, dv


@triton.jit
def key_value_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dk_desc, dv_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_N
    keys = first + tl.arange(0, TILE_N)
    L_ptr += head.to(tl.int64) * n_q
    delta_ptr += head.to(tl.int64) * n_q
    scale_2 = scale * 1.4426950408889634  # log2(e)
    k = k_desc.load([b, h, first, 0]).reshape(TILE_N, D)
    v = v_desc.load([b, h, first, 0]).reshape(TILE_N, D)
    dk = tl.zeros([TILE_N, D], tl.float32)
    dv = tl.zeros([TILE_N, D], tl.float32)
    whole = 0
    if CAUSAL:
        sees_one = tl.maximum(first + n_q - n_k, 0)  # the first query that sees a key
        sees_all = tl.maximum(first + TILE_N - 1 + n_q - n_k, 0)
        begin = sees_one // TILE_M * TILE_M
        whole = tl.cdiv(sees_all, TILE_M) * TILE_M
        dk, dv = visit_queries(
            dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h,
            begin, tl.minimum(whole, n_q), n_q, n_k, scale_2, MASKED=True,
        )  # fmt: skip
    dk, dv = visit_queries(
        dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h,
        whole, n_q, n_q, n_k, scale_2, MASKED=False,
    )  # fmt: skip
    dk_desc.store([b, h, first, 0], (dk * scale).to(dk_desc.dtype).reshape(1, 1, TILE_N, D))
    dv_desc.store([b, h, first, 0], dv.to(dv_desc.dtype).reshape(1, 1, TILE_N, D))


def key_value_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    best_m, best_n, stages = (128 if d <= 64 else 64), 64, 2
    if q.dtype == torch.float32:
        best_m, best_n, stages = 16, 32, 1
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dk, dv = torch.empty_like(k), torch.empty_like(v)
    tiles, by_m, by_n = TensorDescriptor.from_tensor, [1, 1, tile_m, d], [1, 1, tile_n, d]
    key_value_gradients_kernel[(triton.cdiv(n_k, tile_n), batch * heads)](
        tiles(q, by_m), tiles(k, by_n), tiles(v, by_n), tiles(do, by_m), tiles(dk, by_n),
        tiles(dv, by_n), L, delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=causal, num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dk, dv


@triton.jit
def visit_keys(
    dq, q, do, L, delta, last, k_desc, v_desc, b, h, begin, end, scale_2, MASKED: tl.constexpr
):
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = k_desc.block_shape[3]
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = tl.dot(q, k.T, input_precision="ieee")
        p = tl.exp2(s * scale_2 - L[:, None])
        if MASKED:
            p = tl.where(keys[None, :] <= last[:, None], p, 0.0)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        dp = tl.dot(do, v.T, input_precision="ieee")
        ds = p * (dp - delta[:, None])
        dq = tl.dot(ds.to(k.dtype), k, dq, input_precision="ieee")
    return dq


@triton.jit
def query_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dq_desc, o_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile  # the last queries see most keys: they start first
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    L = tl.load(L_ptr + at, mask=rows < n_q, other=float("inf")) * 1.4426950408889634
    scale_2 = scale * 1.4426950408889634  # log2(e)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    delta = tl.sum(o * do.to(tl.float32), axis=1)
    tl.store(delta_ptr + at, delta, mask=rows < n_q)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    dq = tl.zeros([TILE_M, D], tl.float32)
    if CAUSAL:
        last = rows + n_k - n_q
        seen_by_all = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    else:
        last = tl.full([TILE_M], n_k - 1, tl.int32)
        seen_by_all = n_k
        seen_by_any = n_k
    whole = seen_by_all // TILE_N * TILE_N
    dq = visit_keys(dq, q, do, L, delta, last, k_desc, v_desc, b, h, 0, whole, scale_2, False)
    dq = visit_keys(
        dq, q, do, L, delta, last, k_desc, v_desc, b, h, whole, seen_by_any, scale_2, True
    )  # fmt: skip
    dq_desc.store([b, h, first, 0], (dq * scale).to(dq_desc.dtype).reshape(1, 1, TILE_M, D))


def query_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> Tensor:  # fmt: skip
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    best_m, best_n, stages = (32, 16, 1) if q.dtype == torch.float32 else (64, 64, 2)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dq = torch.empty_like(q)
    tiles, by_m, by_n = TensorDescriptor.from_tensor, [1, 1, tile_m, d], [1, 1, tile_n, d]
    query_gradients_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(q, by_m), tiles(k, by_n), tiles(v, by_n), tiles(do, by_m), tiles(dq, by_m), tiles(o.contiguous(), by_m), L,
        delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=causal, num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dq


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    delta = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    dq = query_gradients(q, k, v, o, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, dk, dv
