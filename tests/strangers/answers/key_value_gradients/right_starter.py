# style: tutorial names with T suffix: sT, pT, dpT, dsT
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
        do = do_desc.load([b, h, start, 0]).reshape(TILE_M, D)
        inside = queries < n_q
        L_2 = tl.load(L_ptr + queries, mask=inside, other=float("inf")) * 1.4426950408889634
        delta = tl.load(delta_ptr + queries, mask=inside, other=0.0)
        sT = scale_2 * tl.dot(k, q.T, input_precision="ieee")
        if MASKED:
            seen = keys[:, None] <= queries[None, :] + n_k - n_q
            pT = tl.exp2(tl.where(seen, sT - L_2[None, :], float("-inf")))
        else:
            pT = tl.exp2(sT - L_2[None, :])
        dv = tl.dot(pT.to(do.dtype), do, dv, input_precision="ieee")
        dpT = tl.dot(v, do.T, input_precision="ieee")
        dsT = pT * (dpT - delta[None, :])
        dk = tl.dot(dsT.to(q.dtype), q, dk, input_precision="ieee")
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
        # the first query that sees key `first`, and the first one that sees all of the tile
        begin = tl.maximum(first + n_q - n_k, 0) // TILE_M * TILE_M
        whole = tl.cdiv(tl.maximum(first + TILE_N - 1 + n_q - n_k, 0), TILE_M) * TILE_M
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

    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
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
