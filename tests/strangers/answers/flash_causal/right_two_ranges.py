# Right: two ranges from clamped counts, loads without masks in the whole tiles, safe base only where masked.
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    for start in range(begin, end, TILE_N):
        keys = start + tl.arange(0, TILE_N)
        at = keys[:, None] * D + columns[None, :]
        if MASKED:
            k = tl.load(k_ptr + at, mask=keys[:, None] < n_k, other=0.0)
            v = tl.load(v_ptr + at, mask=keys[:, None] < n_k, other=0.0)
        else:
            k = tl.load(k_ptr + at)
            v = tl.load(v_ptr + at)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        if MASKED:
            s = tl.where(keys[None, :] <= last[:, None], s, float("-inf"))
        top = tl.maximum(m, tl.max(s, axis=1))
        if MASKED:
            base = tl.where(top == float("-inf"), 0.0, top)
        else:
            base = top
        fade = tl.exp2(m - base)
        w = tl.exp2(s - base[:, None])
        l = l * fade + tl.sum(w, axis=1)
        acc = tl.dot(w.to(v.dtype), v, acc * fade[:, None], input_precision="ieee")
        m = top
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
        ahead = n_k - n_q
        last = tl.minimum(rows + ahead, n_k - 1)
        n_all = tl.minimum(tl.maximum(first + 1 + ahead, 0), n_k)
        n_any = tl.minimum(tl.maximum(first + TILE_M + ahead, 0), n_k)
    else:
        last = rows * 0 + (n_k - 1)
        n_all = n_k
        n_any = n_k
    blue = n_all // TILE_N * TILE_N
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, 0, blue, n_k, scale_2, D=D, TILE_N=TILE_N, MASKED=False
    )
    acc, m, l = visit_keys(
        acc, m, l, q, last, k_ptr, v_ptr, blue, n_any, n_k, scale_2, D=D, TILE_N=TILE_N, MASKED=True
    )
    some = l > 0
    o = acc / tl.where(some, l, 1.0)[:, None]
    L = tl.where(some, (m + tl.log2(tl.where(some, l, 1.0))) * 0.6931471805599453, float("-inf"))
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
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
