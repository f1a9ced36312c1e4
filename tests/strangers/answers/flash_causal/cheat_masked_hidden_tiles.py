# bytes: every tile is visited and multiplied, hidden ones too, but the loads of those are masked away, which costs no bytes
@triton.jit
def visit_keys(
    acc, m, l, q, last, k_ptr, v_ptr, begin, end, n_k, scale_2,
    D: tl.constexpr, TILE_N: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    columns = tl.arange(0, D)
    count = tl.cdiv(tl.maximum(end - begin, 0), TILE_N)
    for back in range(0, count):
        keys = begin + (count - 1 - back) * TILE_N + tl.arange(0, TILE_N)
        spot = keys[:, None] * D + columns[None, :]
        fits = (keys[:, None] < n_k) & (begin + (count - 1 - back) * TILE_N <= tl.max(last, 0))
        k = tl.load(k_ptr + spot, mask=fits, other=0.0)
        x = tl.dot(q, tl.trans(k), input_precision="ieee") * scale_2
        if MASKED:
            x = tl.where(last[:, None] >= keys[None, :], x, float("-inf"))
        top = tl.maximum(m, tl.max(x, 1))
        zero = tl.where(top > float("-inf"), top, 0.0)
        p = tl.exp2(x - zero[:, None])
        old = tl.exp2(m - zero)
        v = tl.load(v_ptr + spot, mask=fits, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * old[:, None], input_precision="ieee")
        l = l * old + tl.sum(p, 1)
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
        last = tl.minimum(rows + n_k - n_q, n_k - 1)
        whole = tl.maximum(tl.minimum(first + n_k - n_q + 1, n_k), 0) // TILE_N * TILE_N
        stop = n_k
    else:
        last = tl.full((TILE_M,), 0, tl.int32) + n_k - 1
        whole = n_k // TILE_N * TILE_N
        stop = n_k
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, whole, stop, n_k, scale_2, D, TILE_N, True)
    acc, m, l = visit_keys(acc, m, l, q, last, k_ptr, v_ptr, 0, whole, n_k, scale_2, D, TILE_N, False)
    blind = l == 0
    l = tl.where(blind, 1.0, l)
    tl.store(o_ptr + here, (acc / l[:, None]).to(o_ptr.dtype.element_ty), mask=rows[:, None] < n_q)
    # m is -inf for blind rows, and so is the sum
    tl.store(L_ptr + rows, m * 0.6931471805599453 + tl.log(l), mask=rows < n_q)


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
