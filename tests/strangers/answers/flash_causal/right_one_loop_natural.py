# Style: one loop up to the last key that anybody sees, a mask under a condition, exponentials and logarithm to base e.
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: up to TILE_M queries of one head meet the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    dims = tl.arange(0, D)
    q = tl.load(
        q_ptr + head * n_q * D + rows[:, None] * D + dims, mask=rows[:, None] < n_q, other=0
    )
    sees = tl.zeros((TILE_M,), tl.int32) + n_k  # how many keys each query sees
    if CAUSAL:
        sees = tl.minimum(tl.maximum(rows + 1 + n_k - n_q, 0), n_k)
    fewest, most = tl.min(sees, axis=0), tl.max(tl.where(rows < n_q, sees, 0), axis=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, most, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        tile = head * n_k * D + keys[:, None] * D + dims
        k = tl.load(k_ptr + tile, mask=keys[:, None] < n_k, other=0)
        v = tl.load(v_ptr + tile, mask=keys[:, None] < n_k, other=0)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        if start + TILE_N > fewest:
            s = tl.where(keys[None, :] < sees[:, None], s, float("-inf"))
        m_new = tl.maximum(m, tl.max(s, axis=1))
        nothing = m_new == float("-inf")
        p = tl.where(nothing[:, None], 0.0, tl.exp(s - m_new[:, None]))
        alpha = tl.where(nothing, 1.0, tl.exp(m - m_new))
        l = l * alpha + tl.sum(p, axis=1)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None], input_precision="ieee")
        m = m_new
    o = tl.where(l[:, None] > 0, acc / l[:, None], 0.0)
    o_tile = o_ptr + head * n_q * D + rows[:, None] * D + dims
    tl.store(o_tile, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    tl.store(L_ptr + head * n_q + rows, m + tl.log(l), mask=rows < n_q)


def flash_causal(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = False,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
