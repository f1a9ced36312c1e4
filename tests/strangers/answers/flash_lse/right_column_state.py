# the accumulator goes through the product, one sum per lane group kept as a column, scaled scores masked in one where
@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    alive = rows < n_q
    q = tl.load(q_ptr + here, mask=alive[:, None], other=0)
    top = tl.full((TILE_M, 1), float("-inf"), tl.float32)
    mass = tl.zeros((TILE_M, 1), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for begin in range(0, n_k, TILE_N):
        key = begin + tl.arange(0, TILE_N)
        there = key[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + there, mask=key[:, None] < n_k, other=0)
        x = tl.dot(q, k.T, input_precision="ieee")
        x = tl.where(key[None, :] < n_k, x * scale_2, float("-inf"))
        new = tl.maximum(top, tl.max(x, axis=1)[:, None])
        fade = tl.exp2(top - new)
        p = tl.exp2(x - new)
        mass = mass * fade + tl.sum(p, axis=1)[:, None]
        v = tl.load(v_ptr + there, mask=key[:, None] < n_k, other=0)
        acc = tl.dot(p.to(v.dtype), v, acc * fade, input_precision="ieee")
        top = new
    tl.store(o_ptr + here, (acc / mass).to(o_ptr.dtype.element_ty), mask=alive[:, None])
    lse = (top + tl.log2(mass)) * 0.6931471805599453
    tl.store(L_ptr + rows[:, None], lse, mask=alive[:, None])


def flash_lse(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_lse_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
