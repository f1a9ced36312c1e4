# keeps a partial sum per column of the tile (TILE_M x TILE_N) and adds the columns up after the loop
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
    live = rows < n_q
    q = tl.load(q_ptr + here, mask=live[:, None], other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    part = tl.zeros((TILE_M, TILE_N), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        at = keys[:, None] * D + columns
        k = tl.load(k_ptr + at, mask=keys[:, None] < n_k, other=0)
        t = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        t = tl.where(keys[None, :] < n_k, t, float("-inf"))
        new = tl.maximum(m, tl.max(t, axis=1))
        fade = tl.exp2(m - new)[:, None]
        p = tl.exp2(t - new[:, None])
        v = tl.load(v_ptr + at, mask=keys[:, None] < n_k, other=0)
        part = part * fade + p
        acc = acc * fade + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    l = tl.sum(part, axis=1)
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=live[:, None])
    tl.store(L_ptr + rows, 0.6931471805599453 * (m + tl.log2(l)), mask=live)


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
