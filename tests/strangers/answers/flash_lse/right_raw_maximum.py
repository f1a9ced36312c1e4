# Right: keeps the running maximum in units of the raw scores and multiplies differences by scale_2.
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
    q_mask = rows < n_q
    q = tl.load(q_ptr + here, mask=q_mask[:, None], other=0.0)
    peak = tl.full((TILE_M,), float("-inf"), tl.float32)  # of q k^T, without any factor
    mass = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    lanes = tl.arange(0, TILE_N)
    for start in range(0, n_k, TILE_N):
        left = n_k - start
        there = (start + lanes)[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + there, mask=(lanes < left)[:, None], other=0.0)
        v = tl.load(v_ptr + there, mask=(lanes < left)[:, None], other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee")
        s = tl.where((lanes < left)[None, :], s, float("-inf"))
        top = tl.maximum(peak, tl.max(s, axis=1))
        w = tl.exp2((s - top[:, None]) * scale_2)
        fade = tl.exp2((peak - top) * scale_2)
        mass = mass * fade + tl.sum(w, axis=1)
        acc = tl.dot(w.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
        peak = top
    tl.store(o_ptr + here, (acc / mass[:, None]).to(o_ptr.dtype.element_ty), mask=q_mask[:, None])
    lse = (peak * scale_2 + tl.log2(mass)) * 0.6931471805599453
    tl.store(L_ptr + rows, lse, mask=q_mask)


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
