"""Working file: fast attention and softmax, to be merged into the lessons."""

import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

LOG2_E = 1 / math.log(2)

# --- forward ---


@triton.jit
def visible_keys(first, n_q, n_k, CAUSAL: tl.constexpr, TILE_M: tl.constexpr):
    """What the queries first .. first + TILE_M - 1 see: j <= i + n_k - n_q if CAUSAL, else all.

    Returns last (TILE_M,), the last key of each query; seen_by_all and seen_by_any, numbers of
    keys counted from the first one. All of them may be negative where no key is seen.
    """
    if CAUSAL:
        last = first + tl.arange(0, TILE_M) + (n_k - n_q)
        seen_by_all = tl.minimum(first + 1 + n_k - n_q, n_k)
        seen_by_any = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    else:
        last = tl.full([TILE_M], n_k - 1, tl.int32)
        seen_by_all = n_k
        seen_by_any = n_k
    return last, seen_by_all, seen_by_any


@triton.jit
def softmax_step(s, m, l, start, last, seen_by_all, scale_2):
    """One step of the online softmax in base 2, for scores with the keys start, start + 1, ...

    s: (TILE_M, TILE_N) float32, q k^T without its scale; m, l: (TILE_M,) float32, the running
    max of scale_2 * q k^T and the denominator. last, seen_by_all: as `visible_keys` gives them.
    Returns p (TILE_M, TILE_N), alpha, m, l (TILE_M,).
    """
    TILE_N: tl.constexpr = s.shape[1]
    if start + TILE_N > seen_by_all:  # only the last tile or two of a program need the mask
        keys = start + tl.arange(0, TILE_N)
        s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
    m_new = tl.maximum(m, tl.max(s, axis=1) * scale_2)
    shift = tl.where(m_new == float("-inf"), 0.0, m_new)  # -inf - (-inf) would be NaN
    p = tl.exp2(s * scale_2 - shift[:, None])  # one fused multiply-add, then exp2
    alpha = tl.exp2(m - shift)
    return p, alpha, m_new, alpha * l + tl.sum(p, axis=1)


@triton.jit
def flash_attention_kernel(
    q_desc, k_desc, v_desc, o_desc, L_ptr, H, n_q, n_k, scale_2, CAUSAL: tl.constexpr
):
    """Attention of one tile of queries of one head with all the keys that they see."""
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
    last, seen_by_all, seen_by_any = visible_keys(first, n_q, n_k, CAUSAL, TILE_M)

    acc = tl.zeros([TILE_M, D], tl.float32)
    m = tl.full([TILE_M], float("-inf"), tl.float32)
    l = tl.zeros([TILE_M], tl.float32)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    for start in range(0, seen_by_any, TILE_N):
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = tl.dot(q, k.T, input_precision="ieee")
        p, alpha, m, l = softmax_step(s, m, l, start, last, seen_by_all, scale_2)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")

    l = tl.where(l == 0, 1.0, l)  # a row that saw no key: o = 0 / 1, L = -inf + log 1
    o = (acc / l[:, None]).to(o_desc.dtype)
    o_desc.store([b, h, first, 0], o.reshape(1, 1, TILE_M, D))
    L = (m + tl.log2(l)) * 0.6931471805599453  # ln 2: back to natural logarithms
    tl.store(L_ptr + head.to(tl.int64) * n_q + rows, L, mask=rows < n_q)


@triton.jit
def late_attention_kernel(
    q_desc, k_desc, v_desc, o_desc, L_ptr, H, n_q, n_k, scale_2, CAUSAL: tl.constexpr
):
    """As `flash_attention_kernel`, with the product with V one tile late.

    A tile's softmax waits for its scores alone: while it runs on the ordinary units, the tensor
    cores work on P V of the tile before.
    """
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    rows = first + tl.arange(0, TILE_M)
    last, seen_by_all, seen_by_any = visible_keys(first, n_q, n_k, CAUSAL, TILE_M)

    acc = tl.zeros([TILE_M, D], tl.float32)
    m = tl.full([TILE_M], float("-inf"), tl.float32)
    l = tl.zeros([TILE_M], tl.float32)
    p = tl.zeros([TILE_M, TILE_N], tl.float32)  # before the first tile: 0 times rows of zeros,
    alpha = tl.full([TILE_M], 1.0, tl.float32)  # which a descriptor reads at key -TILE_N
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    for start in range(0, seen_by_any, TILE_N):
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = tl.dot(q, k.T, input_precision="ieee")
        v = v_desc.load([b, h, start - TILE_N, 0]).reshape(TILE_N, D)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        p, alpha, m, l = softmax_step(s, m, l, start, last, seen_by_all, scale_2)
    final = tl.cdiv(seen_by_any, TILE_N) * TILE_N - TILE_N
    v = v_desc.load([b, h, final, 0]).reshape(TILE_N, D)
    acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")

    l = tl.where(l == 0, 1.0, l)
    o = (acc / l[:, None]).to(o_desc.dtype)
    o_desc.store([b, h, first, 0], o.reshape(1, 1, TILE_M, D))
    L = (m + tl.log2(l)) * 0.6931471805599453
    tl.store(L_ptr + head.to(tl.int64) * n_q + rows, L, mask=rows < n_q)


def tiles_of(x: Tensor, tile: int) -> TensorDescriptor:
    """Descriptor of x (B, H, N, d): a load or store moves `tile` rows of one head.

    Rows outside the head are read as zeros and never written. Returns the descriptor; x must
    suit the copy engine: contiguous rows, and steps of 16 bytes (see `aligned`).
    """
    return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, tile, x.shape[3]])


def aligned(x: Tensor) -> Tensor:
    """Returns x (B, H, N, d) if a descriptor can address it, else a contiguous copy."""
    steps = [stride * x.element_size() for stride in x.stride()[:3]]
    fits = all(step > 0 and step % 16 == 0 for step in steps)
    if fits and x.stride(3) == 1 and x.data_ptr() % 16 == 0:
        return x
    return x.clone(memory_format=torch.contiguous_format)


def forward_tiles(d: int, dtype: torch.dtype) -> tuple[int, int, int, int]:
    """Returns (tile_m, tile_n, num_warps, num_stages), the fastest for d on an H200."""
    if dtype == torch.float32:
        return 32, 32, 4, 2
    return (64, 128, 4, 2) if d <= 64 else (64, 64, 4, 3)


def flash_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp, one program for each tile of queries of each head.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float16, bfloat16 or float32, d in 16, 32, 64, 128.
    causal: query i sees keys j <= i + N_k - N_q. scale: factor of the scores, > 0, 1/sqrt(d) if
    None. tile_m, tile_n: queries and keys in a tile, powers of two >= 16, the fastest if None.
    Returns o (B, H, N_q, d) in the dtype of q and L (B, H, N_q) float32, natural logarithm.
    A query that sees no key gives o = 0 and L = -inf.
    """
    B, H, n_q, d = q.shape
    n_k = k.shape[2]
    scale = d**-0.5 if scale is None else scale
    best_m, best_n, warps, stages = forward_tiles(d, q.dtype)
    tile_m, tile_n = tile_m or best_m, tile_n or best_n
    o = torch.empty((B, H, n_q, d), dtype=q.dtype, device=q.device)
    L = torch.empty((B, H, n_q), dtype=torch.float32, device=q.device)
    kernel = flash_attention_kernel if d <= 64 else late_attention_kernel
    kernel[(triton.cdiv(n_q, tile_m), B * H)](
        tiles_of(aligned(q), tile_m),
        tiles_of(aligned(k), tile_n),
        tiles_of(aligned(v), tile_n),
        tiles_of(o, tile_m),
        L,
        H,
        n_q,
        n_k,
        scale * LOG2_E,
        CAUSAL=causal,
        num_warps=warps,
        num_stages=stages,
    )
    return o, L


# --- backward -------------------------------------------------------------------------------


@triton.jit
def delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    """delta_i = sum over d of o_id do_id, for one tile of rows of one head."""
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    o = o_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D).to(tl.float32)
    tl.store(
        delta_ptr + head.to(tl.int64) * n_q + rows, tl.sum(o * do, axis=1), mask=rows < n_q
    )


@triton.jit
def add_queries(
    dk, dv, k, v, first, q_desc, do_desc, L_ptr, delta_ptr, b, h, begin, end, n_q, n_k, scale_2,
    MASKED: tl.constexpr,
):  # fmt: skip
    """dk and dv of one tile of keys after the queries begin .. end - 1 of the head.

    dk, dv: (TILE_N, d) float32; k, v: (TILE_N, d), the keys first .. first + TILE_N - 1.
    L_ptr, delta_ptr: (N_q,) of this head. Scores stand on their side, (TILE_N, TILE_M), so that
    P^T and dS^T are left operands as they come out of a product. Only if MASKED are keys that a
    query does not see left out. begin is a multiple of TILE_M. Returns dk, dv.
    """
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k.shape[0]
    D: tl.constexpr = k.shape[1]
    keys = first + tl.arange(0, TILE_N)
    for start in range(begin, end, TILE_M):
        queries = start + tl.arange(0, TILE_M)
        q = q_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        s_t = tl.dot(k, q.T, input_precision="ieee")
        # A query beyond the last has L = inf: its p is exp2(-inf) = 0.
        L = tl.load(L_ptr + queries, mask=queries < n_q, other=float("inf"))
        p_t = tl.exp2(s_t * scale_2 - (L * 1.4426950408889634)[None, :])
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
def dk_dv_kernel(
    q_desc, k_desc, v_desc, do_desc, dk_desc, dv_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    """dK and dV of one tile of keys of one head, from all the queries that see it."""
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_N
    L_ptr += head.to(tl.int64) * n_q
    delta_ptr += head.to(tl.int64) * n_q
    scale_2 = scale * 1.4426950408889634  # log2(e)

    begin = 0
    whole = 0
    if CAUSAL:  # from the first query that sees a key, and the first tile that sees them all
        begin = tl.maximum(first - (n_k - n_q), 0) // TILE_M * TILE_M
        whole = tl.cdiv(tl.maximum(first + TILE_N - 1 - (n_k - n_q), 0), TILE_M) * TILE_M

    dk = tl.zeros([TILE_N, D], tl.float32)
    dv = tl.zeros([TILE_N, D], tl.float32)
    k = k_desc.load([b, h, first, 0]).reshape(TILE_N, D)
    v = v_desc.load([b, h, first, 0]).reshape(TILE_N, D)
    if CAUSAL:
        dk, dv = add_queries(
            dk, dv, k, v, first, q_desc, do_desc, L_ptr, delta_ptr, b, h,
            begin, tl.minimum(whole, n_q), n_q, n_k, scale_2, MASKED=True,
        )  # fmt: skip
    dk, dv = add_queries(
        dk, dv, k, v, first, q_desc, do_desc, L_ptr, delta_ptr, b, h,
        whole, n_q, n_q, n_k, scale_2, MASKED=False,
    )  # fmt: skip
    dk_desc.store([b, h, first, 0], (dk * scale).to(dk_desc.dtype).reshape(1, 1, TILE_N, D))
    dv_desc.store([b, h, first, 0], dv.to(dv_desc.dtype).reshape(1, 1, TILE_N, D))


@triton.jit
def add_keys(
    dq, q, do, L, delta, last, k_desc, v_desc, b, h, begin, end, scale_2, MASKED: tl.constexpr
):
    """dq of one tile of queries after the keys begin .. end - 1 of head h of batch b.

    dq: (TILE_M, d) float32; q, do: (TILE_M, d); L, delta: (TILE_M,), L in base 2.
    last: (TILE_M,) the last key each query sees, looked at only if MASKED.
    begin is a multiple of TILE_N. Returns dq.
    """
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = k_desc.block_shape[3]
    for start in range(begin, end, TILE_N):
        k = k_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = tl.dot(q, k.T, input_precision="ieee")
        p = tl.exp2(s * scale_2 - L[:, None])
        if MASKED:
            keys = start + tl.arange(0, TILE_N)
            p = tl.where(keys[None, :] <= last[:, None], p, 0.0)
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        dp = tl.dot(do, v.T, input_precision="ieee")
        ds = p * (dp - delta[:, None])
        dq = tl.dot(ds.to(k.dtype), k, dq, input_precision="ieee")
    return dq


@triton.jit
def dq_kernel(
    q_desc, k_desc, v_desc, do_desc, dq_desc, L_ptr, delta_ptr, H, n_q, n_k, scale,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    """dQ of one tile of queries of one head, from all the keys that they see."""
    TILE_M: tl.constexpr = q_desc.block_shape[2]
    TILE_N: tl.constexpr = k_desc.block_shape[2]
    D: tl.constexpr = q_desc.block_shape[3]
    tile = tl.program_id(0)
    if CAUSAL:
        tile = tl.num_programs(0) - 1 - tile  # the last queries see most keys: they start first
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tile * TILE_M
    queries = first + tl.arange(0, TILE_M)

    if CAUSAL:
        last = queries + (n_k - n_q)
        seen = tl.minimum(tl.maximum(first + 1 + n_k - n_q, 0), n_k)
        end = tl.minimum(first + TILE_M + n_k - n_q, n_k)
    else:
        last = tl.full([TILE_M], n_k - 1, tl.int32)
        seen = n_k
        end = n_k
    whole = seen // TILE_N * TILE_N

    at = head.to(tl.int64) * n_q + queries
    L = tl.load(L_ptr + at, mask=queries < n_q, other=float("inf")) * 1.4426950408889634
    delta = tl.load(delta_ptr + at, mask=queries < n_q, other=0.0)
    scale_2 = scale * 1.4426950408889634  # log2(e)
    dq = tl.zeros([TILE_M, D], tl.float32)
    q = q_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    do = do_desc.load([b, h, first, 0]).reshape(TILE_M, D)
    dq = add_keys(
        dq, q, do, L, delta, last, k_desc, v_desc, b, h, 0, whole, scale_2, MASKED=False
    )
    dq = add_keys(
        dq, q, do, L, delta, last, k_desc, v_desc, b, h, whole, end, scale_2, MASKED=True
    )
    dq_desc.store([b, h, first, 0], (dq * scale).to(dq_desc.dtype).reshape(1, 1, TILE_M, D))


def backward_tiles(d: int, dtype: torch.dtype) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns (tile_m, tile_n, num_warps, num_stages) of dK/dV and of dQ, as above."""
    if dtype == torch.float32:
        return (16, 32, 4, 1), (32, 16, 4, 1)
    return ((128, 64, 4, 2) if d <= 64 else (64, 64, 4, 2)), (64, 64, 4, 2)


def attention_backward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of attention by q, k and v, scores recomputed tile by tile from L.

    q, o, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float16, bfloat16 or float32.
    o, L (B, H, N_q) float32: as `flash_attention` gave them; do: gradient of the loss by o.
    causal, scale, tile_m, tile_n: as in `flash_attention`.
    Returns dq, dk, dv, in shape and dtype those of q, k, v. A query that sees no key gives and
    gets zeros.

        delta_i = sum_d o_id do_id        P = exp(scale q k^T - L)        dP = do v^T
        dS = P * (dP - delta)        dV = P^T do    dK = scale dS^T q    dQ = scale dS k
    """
    B, H, n_q, d = q.shape
    n_k = k.shape[2]
    scale = d**-0.5 if scale is None else scale
    for_keys, for_queries = backward_tiles(d, q.dtype)
    q, k, v, o, do = (aligned(x) for x in (q, k, v, o, do))
    dq, dk, dv = (torch.empty(x.shape, dtype=x.dtype, device=x.device) for x in (q, k, v))
    delta = torch.empty((B, H, n_q), dtype=torch.float32, device=q.device)

    m = tile_m or 64
    delta_kernel[(triton.cdiv(n_q, m), B * H)](tiles_of(o, m), tiles_of(do, m), delta, H, n_q)

    m, n, warps, stages = for_keys
    m, n = tile_m or m, tile_n or n
    dk_dv_kernel[(triton.cdiv(n_k, n), B * H)](
        tiles_of(q, m), tiles_of(k, n), tiles_of(v, n), tiles_of(do, m),
        tiles_of(dk, n), tiles_of(dv, n), L, delta, H, n_q, n_k, scale,
        CAUSAL=causal, num_warps=warps, num_stages=stages,
    )  # fmt: skip

    m, n, warps, stages = for_queries
    m, n = tile_m or m, tile_n or n
    dq_kernel[(triton.cdiv(n_q, m), B * H)](
        tiles_of(q, m), tiles_of(k, n), tiles_of(v, n), tiles_of(do, m),
        tiles_of(dq, m), L, delta, H, n_q, n_k, scale,
        CAUSAL=causal, num_warps=warps, num_stages=stages,
    )  # fmt: skip
    return dq, dk, dv


class FlashAttention(torch.autograd.Function):
    """Attention o (B, H, N_q, d) of q, k, v with the backward pass above."""

    @staticmethod
    def forward(ctx, q, k, v, causal=False, scale=None):
        o, L = flash_attention(q, k, v, causal, scale)
        ctx.save_for_backward(q, k, v, o, L)
        ctx.causal, ctx.scale = causal, scale
        return o

    @staticmethod
    def backward(ctx, do):
        return *attention_backward(*ctx.saved_tensors, do, ctx.causal, ctx.scale), None, None


# --- softmax --------------------------------------------------------------------------------


@triton.jit
def softmax_kernel(x_ptr, y_ptr, cols, TILE: tl.constexpr):
    """Softmax of one row that fits in one tile: read once, written once."""
    row = tl.program_id(0).to(tl.int64) * cols
    at = tl.arange(0, TILE)
    x = tl.load(x_ptr + row + at, mask=at < cols, other=float("-inf"))
    p = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + at, p / tl.sum(p, axis=0), mask=at < cols)


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, cols, TILE: tl.constexpr):
    """Softmax of one row of any length: m and l in a first pass, y in a second, backwards."""
    row = tl.program_id(0).to(tl.int64) * cols
    m = float("-inf")
    l = 0.0
    for start in range(0, cols, TILE):
        at = start + tl.arange(0, TILE)
        x = tl.load(
            x_ptr + row + at, mask=at < cols, other=float("-inf"), eviction_policy="evict_last"
        )
        m_new = tl.maximum(m, tl.max(x, axis=0))
        l = l * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
        m = m_new
    # Backwards: the end of the row is still in the L2 cache. What is read or written here is
    # not needed again, so it must not push the rest out.
    tiles = tl.cdiv(cols, TILE)
    for back in range(0, tiles):
        at = (tiles - 1 - back) * TILE + tl.arange(0, TILE)
        x = tl.load(
            x_ptr + row + at, mask=at < cols, other=float("-inf"), eviction_policy="evict_first"
        )
        tl.store(y_ptr + row + at, tl.exp(x - m) / l, mask=at < cols, cache_modifier=".cs")


def softmax(x: Tensor, tile: int | None = None) -> Tensor:
    """Softmax of the rows of x.

    x: (rows, columns) float32, contiguous. tile: columns in a tile, a power of two; if None a
    whole row up to 32768 columns. Returns a tensor like x.
    """
    rows, cols = x.shape
    y = torch.empty_like(x)
    tile = tile or min(triton.next_power_of_2(cols), 32768)
    kernel = softmax_kernel if cols <= tile else online_softmax_kernel
    warps = min(max(tile // 512, 4), 32)
    kernel[(rows,)](x, y, cols, TILE=tile, num_warps=warps)
    return y
