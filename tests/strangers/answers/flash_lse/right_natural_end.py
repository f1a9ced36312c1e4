# scores scaled at once, state kept in base 2, L by natural log plus m ln 2, k read transposed, loop by tile number; keeps the contract
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
    q = tl.load(q_ptr + here, mask=alive[:, None], other=0.0)
    state_m = tl.full([TILE_M, 1], float("-inf"), dtype=tl.float32)
    state_l = tl.full([TILE_M, 1], 0.0, dtype=tl.float32)
    acc = tl.full([TILE_M, D], 0.0, dtype=tl.float32)
    for tile in range(tl.cdiv(n_k, TILE_N)):
        index = tile * TILE_N + tl.arange(0, TILE_N)
        real = index < n_k
        at_k = columns[:, None] + index[None, :] * D  # read k transposed
        kt = tl.load(k_ptr + at_k, mask=real[None, :], other=0.0)
        t = tl.dot(q, kt, input_precision="ieee") * scale_2
        t = tl.where(real[None, :], t, float("-inf"))
        new_m = tl.maximum(state_m, tl.max(t, axis=1)[:, None])
        weight = tl.exp2(t - new_m)
        alpha = tl.exp2(state_m - new_m)
        v = tl.load(v_ptr + index[:, None] * D + columns, mask=real[:, None], other=0.0)
        acc = alpha * acc + tl.dot(weight.to(v.dtype), v, input_precision="ieee")
        state_l = alpha * state_l + tl.sum(weight, axis=1)[:, None]
        state_m = new_m
    tl.store(o_ptr + here, (acc / state_l).to(o_ptr.dtype.element_ty), mask=alive[:, None])
    L = state_m * 0.6931471805599453 + tl.log(state_l)
    tl.store(L_ptr + rows[:, None], L, mask=alive[:, None])


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
