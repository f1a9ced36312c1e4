# Right: @triton.heuristics with two EVEN flags that leave out masks, load helper with constexpr branch
import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


@triton.jit
def load_rows(ptr, index, n, D: tl.constexpr, EVEN: tl.constexpr):
    where = ptr + index[:, None] * D + tl.arange(0, D)[None, :]
    if EVEN:
        tile = tl.load(where)
    else:
        tile = tl.load(where, mask=index[:, None] < n, other=0.0)
    return tile


@triton.heuristics(
    {
        "EVEN_M": lambda args: args["n_q"] % args["TILE_M"] == 0,
        "EVEN_N": lambda args: args["n_k"] % args["TILE_N"] == 0,
    }
)
@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
    EVEN_M: tl.constexpr, EVEN_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet all keys of the head."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    q = load_rows(q_ptr + head * n_q * D, rows, n_q, D, EVEN_M)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in tl.range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        k = load_rows(k_ptr + head * n_k * D, keys, n_k, D, EVEN_N)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        if not EVEN_N:
            s = tl.where(keys[None, :] < n_k, s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, 1))
        alpha = tl.exp(m - m_new)
        p = tl.exp(s - m_new[:, None])
        l = tl.fma(alpha, l, tl.sum(p, 1))
        v = load_rows(v_ptr + head * n_k * D, keys, n_k, D, EVEN_N)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    o = (acc / l[:, None]).to(o_ptr.dtype.element_ty)
    there = o_ptr + head * n_q * D + rows[:, None] * D + tl.arange(0, D)[None, :]
    if EVEN_M:
        tl.store(there, o)
    else:
        tl.store(there, o, mask=rows[:, None] < n_q)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    """Attention of any number of queries with any number of keys."""
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
