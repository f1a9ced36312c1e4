# One diagonal number for both modes (without a mask it is put out of reach), scaled maximum outside of the tile, K loaded transposed without masks in whole tiles.
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        lane = start + tl.arange(0, TILE_N)
        kt_at = k_ptr + columns[:, None] + lane[None, :] * D
        v_at = v_ptr + lane[:, None] * D + columns[None, :]
        if MASKED:
            kt = tl.load(kt_at, mask=lane[None, :] < n_k, other=0.0)
            v = tl.load(v_at, mask=lane[:, None] < n_k, other=0.0)
        else:
            kt = tl.load(kt_at)
            v = tl.load(v_at)
        raw = tl.dot(q, kt, input_precision="ieee")
        if MASKED:
            raw = tl.where(lane[None, :] > last[:, None], float("-inf"), raw)
        top = tl.maximum(m, tl.max(raw, 1) * scale_2)
        if MASKED:
            base = tl.where(top > float("-inf"), top, 0.0)
        else:
            base = top
        w = tl.exp2(raw * scale_2 - base[:, None])
        fade = tl.exp2(m - base)
        m = top
        l = l * fade + tl.sum(w, 1)
        acc = tl.dot(w.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
    return acc, m, l


@triton.jit
def flash_causal_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2, CAUSAL: tl.constexpr,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + tl.arange(0, D)
    q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    if CAUSAL:
        diagonal = n_k - n_q
    else:
        diagonal = n_k
    last = tl.minimum(rows + diagonal, n_k - 1)
    sees_least = tl.minimum(tl.maximum(first + diagonal + 1, 0), n_k)
    border = sees_least - sees_least % TILE_N
    end = tl.minimum(tl.maximum(tl.minimum(first + TILE_M, n_q) + diagonal, 0), n_k)
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, 0, border, n_k, scale_2, D=D, TILE_N=TILE_N, MASKED=False)
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, border, end, n_k, scale_2, D=D, TILE_N=TILE_N, MASKED=True)
    blind = l == 0.0
    safe_l = tl.where(blind, 1.0, l)
    tl.store(o_ptr + here, (acc / safe_l[:, None]).to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    L = tl.where(blind, float("-inf"), (m + tl.log2(safe_l)) * 0.6931471805599453)
    tl.store(L_ptr + rows, L, mask=rows < n_q)


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
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    flash_causal_kernel[grid](
        q, k, v, o, L, n_q, k.shape[2], scale_2, causal, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o, L
