# style: keyword MASKED, tl.zeros_like
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
        v = v_desc.load([b, h, start, 0]).reshape(TILE_N, D)
        s = tl.dot(q, k.T, input_precision="ieee") * scale_2 - L[:, None]
        if MASKED:
            s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        p = tl.exp2(s)
        dp = tl.dot(do, v.T, input_precision="ieee")
        ds = (p * (dp - delta[:, None])).to(k.dtype)
        dq = tl.dot(ds, k, dq, input_precision="ieee")
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
    end = n_k
    whole = n_k // TILE_N * TILE_N
    last = tl.zeros_like(rows) + n_k - 1
    if CAUSAL:
        last = tl.minimum(last, rows + n_k - n_q)
        end = tl.minimum(end, tl.maximum(0, first + TILE_M + n_k - n_q))
        whole = tl.minimum(whole, tl.maximum(0, first + 1 + n_k - n_q) // TILE_N * TILE_N)
    dq = visit_keys(
        dq, q, do, L, delta, last, k_desc, v_desc, b, h, 0, whole, scale_2, MASKED=False
    )
    dq = visit_keys(
        dq, q, do, L, delta, last, k_desc, v_desc, b, h, whole, end, scale_2, MASKED=True
    )
    dq_desc.store([b, h, first, 0], (dq * scale).to(dq_desc.dtype).reshape(1, 1, TILE_M, D))


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

    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
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
