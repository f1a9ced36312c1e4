"""The backward pass of attention in Triton, for all heads: delta, dK and dV, dQ.

And the autograd function that ties them to the forward pass. What they compute is derived in
attention_gradients.py. Left out: dropout (dropout.py), fewer heads for keys than for queries
(gqa.py), and the gradients of L itself.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

from kernels import causal_flash


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    """One program: delta of a tile of queries of one head."""
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    ### BEGIN SOLUTION
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    tl.store(delta_ptr + at, tl.sum(o * do, axis=1), mask=rows < n_q)
    ### END SOLUTION


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """delta_i = sum_c o_ic do_ic, one number per query, which all its score gradients share.

    o, do: (B, H, N_q, d) float32, float16 or bfloat16, each with strides of its own; d: 16, 32,
    64 or 128. tile_m: queries in a tile, a power of 2.
    Returns delta (B, H, N_q) float32, summed in float32.
    Traffic: o and do are loaded once, delta is stored once. No row of o is multiplied with
    another row of do. In one launch, no program takes more than tile_m queries. Memory: delta,
    and copies of what is not contiguous.
    """
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta


@triton.jit
def visit_queries(
    dk, dv, k, v, keys, q_desc, do_desc, L_ptr, delta_ptr, b, h, begin, end, n_q, n_k, scale_2,
    MASKED: tl.constexpr,
):  # fmt: skip
    """dk and dv of a tile of keys after the tiles of queries from begin to end.

    dk, dv: (TILE_N, d) float32, still without the scale; k, v: (TILE_N, d); keys: (TILE_N,),
    their numbers; L_ptr, delta_ptr: (N_q,) of head h of batch b. scale_2 is scale log2(e).
    Without MASKED every query from begin to end sees all the keys.
    """
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    for start in range(begin, end, TILE_M):
        queries = start + tl.arange(0, TILE_M)
        q = q_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        ### BEGIN SOLUTION
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
        ### END SOLUTION
    return dk, dv


@triton.jit
def key_value_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dk_desc, dv_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    """One program: dK and dV of a tile of keys of one head, from the queries that see them."""
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
        ### BEGIN SOLUTION
        sees_one = tl.maximum(first + n_q - n_k, 0)  # the first query that sees a key
        sees_all = tl.maximum(first + TILE_N - 1 + n_q - n_k, 0)
        begin = sees_one // TILE_M * TILE_M
        whole = tl.cdiv(sees_all, TILE_M) * TILE_M
        ### END SOLUTION
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
    """The gradients of keys and values: one program for each tile of keys, queries in its loop.

    A tile is one of consecutive keys of a head. Of more than 128 tiles, those of all heads
    counted, a program may take several. All run in one launch.

    q, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with strides
    of its own; d: 16, 32, 64 or 128. L, delta: (B, H, N_q) float32, contiguous, the
    log-sum-exps of the forward pass, -inf where a query sees no key, and `row_delta`, finite.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, positive,
    1/sqrt(d) if None. tile_m, tile_n: queries and keys in a tile, powers of two from 16 on; if
    None, the function has its own.
    Returns dk, dv (B, H, N_k, d), same dtype, summed in float32; on the way only P and dS may
    be rounded to 16 bits, nothing to TF32.
    Traffic: k and v are loaded once; q, do, L and delta once for each tile of keys, from the
    first tile of queries that sees one of its keys; dk and dv are stored once. Only these tiles
    are multiplied, each once in each of the four products. A score takes one exponential. No
    load holds more than two tiles of queries or keys, and no product more than one of each.
    Memory: dk and dv, and copies of what is not contiguous.

        S^T = scale * k q^T        P^T = exp(S^T - L)        dP^T = v do^T
        dS^T = P^T (dP^T - delta)        dv = P^T do        dk = scale * dS^T q
    """
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
    """dq of a tile of queries after the tiles of keys from begin to end.

    dq: (TILE_M, d) float32, still without the scale; q, do: (TILE_M, d); L, delta: (TILE_M,),
    L times log2(e); last: (TILE_M,), the last key that each query sees, used only if
    MASKED. Without MASKED every query sees all the keys from begin to end.
    """
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = k_desc.block_shape[3]
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        ### BEGIN SOLUTION from key_value_gradients 1
        s = tl.dot(q, k.T, input_precision="ieee")
        p = tl.exp2(s * scale_2 - L[:, None])
        if MASKED:
            p = tl.where(keys[None, :] <= last[:, None], p, 0.0)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        dp = tl.dot(do, v.T, input_precision="ieee")
        ds = p * (dp - delta[:, None])
        dq = tl.dot(ds.to(k.dtype), k, dq, input_precision="ieee")
        ### END SOLUTION
    return dq


@triton.jit
def query_gradients_kernel(
    q_desc, k_desc, v_desc, do_desc, dq_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    """One program: dQ of a tile of queries of one head, from the keys that they see."""
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
    delta = tl.load(delta_ptr + at, mask=rows < n_q, other=0.0)
    scale_2 = scale * 1.4426950408889634  # log2(e)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    dq = tl.zeros([TILE_M, D], tl.float32)
    ### BEGIN SOLUTION from flash_causal 2
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
    ### END SOLUTION


def query_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, L: Tensor, delta: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> Tensor:  # fmt: skip
    """The gradient of the queries: one program for each tile of queries, keys in its loop.

    A tile is one of consecutive queries of a head. Of more than 128 tiles, those of all heads
    counted, a program may take several. All run in one launch.

    q, k, v, do, L, delta, causal, scale, tile_m, tile_n: as in `key_value_gradients`.
    Returns dq (B, H, N_q, d), same dtype, summed in float32; on the way only P and dS may be
    rounded to 16 bits, nothing to TF32.
    Traffic: q, do, L and delta are loaded once; k and v once for each tile of queries, up to
    the last tile of keys that one of its queries sees; dq is stored once. Only these tiles are
    multiplied, each once in each of the three products. A score takes one exponential. No load
    holds more than two tiles of queries or keys, and no product more than one of each. Memory:
    dq, and copies of what is not contiguous.

        S = scale * q k^T        P = exp(S - L)        dP = do v^T
        dS = P (dP - delta)        dq = scale * dS k
    """
    (batch, heads, n_q, d), n_k = q.shape, k.shape[2]
    best_m, best_n, stages = (32, 16, 1) if q.dtype == torch.float32 else (64, 64, 2)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    q, k, v, do = (x.contiguous() for x in (q, k, v, do))
    dq = torch.empty_like(q)
    tiles, by_m, by_n = TensorDescriptor.from_tensor, [1, 1, tile_m, d], [1, 1, tile_n, d]
    query_gradients_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(q, by_m), tiles(k, by_n), tiles(v, by_n), tiles(do, by_m), tiles(dq, by_m), L,
        delta, heads, n_q, n_k, d**-0.5 if scale is None else scale,
        CAUSAL=causal, num_warps=4, num_stages=stages,
    )  # fmt: skip
    return dq


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The gradients of attention: `row_delta`, `query_gradients` and `key_value_gradients`.

    q, o, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with
    strides of its own; d: 16, 32, 64 or 128. o and L, (B, H, N_q) float32 and contiguous, are
    what the forward pass gave.
    causal, scale, tile_m, tile_n: as in `key_value_gradients`.
    Returns dq, dk, dv in shape and dtype those of q, k, v. Memory: these, delta, and copies of
    what is not contiguous.
    Traffic, products, programs and launches: those of the three; `row_delta` may keep its own
    tile, or take tile_m where it is given.
    """
    delta = row_delta(o, do)
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, dk, dv


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """Attention as an operation that autograd can differentiate, run forwards and backwards.

    q, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with strides
    of its own; d: 16, 32, 64 or 128. do is the gradient of the loss with respect to the output.
    causal, scale, tile_m, tile_n: as in `key_value_gradients`, and for the forward pass too.
    Returns o (B, H, N_q, d) and the gradients dq, dk, dv, in shape and dtype those of q, k, v.
    The forward pass runs once, and so does the backward one, as `attention_backward` or its
    three parts: what they multiply is multiplied once, in four launches at most. Memory: o, L,
    delta, the gradients, and copies of what is not contiguous; no N_q x N_k matrix is kept or
    made.
    """

    ### BEGIN SOLUTION
    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            return attention_backward(*ctx.saved_tensors, do, causal, scale, tile_m, tile_n)

    ### END SOLUTION
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
