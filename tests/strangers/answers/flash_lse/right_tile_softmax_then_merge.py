# every tile is a small attention of its own (own maximum, own sum), which is merged into the state; keys from the last tile to the first; right
@triton.jit
def flash_lse_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, n_q, n_k, scale_2,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)  # offsets of whole heads can pass 2^31
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q_ptr, o_ptr = q_ptr + head * n_q * D, o_ptr + head * n_q * D
    k_ptr, v_ptr = k_ptr + head * n_k * D, v_ptr + head * n_k * D
    L_ptr = L_ptr + head * n_q
    here = rows[:, None] * D + columns
    real = rows[:, None] < n_q
    q = tl.load(q_ptr + here, mask=real, other=0.0)
    high = tl.full((TILE_M,), float("-inf"), tl.float32)
    total = tl.zeros((TILE_M,), tl.float32)
    acc = tl.zeros((TILE_M, D), tl.float32)
    tiles = tl.cdiv(n_k, TILE_N)
    for t in range(0, tiles):
        keys = (tiles - 1 - t) * TILE_N + tl.arange(0, TILE_N)
        kt = tl.load(k_ptr + keys[None, :] * D + columns[:, None], mask=keys[None, :] < n_k, other=0.0)
        v = tl.load(v_ptr + keys[:, None] * D + columns[None, :], mask=keys[:, None] < n_k, other=0.0)
        s = tl.dot(q, kt, input_precision="ieee") * scale_2
        s = tl.where(keys[None, :] < n_k, s, float("-inf"))
        tile_high = tl.max(s, axis=1)  # finite: each tile has a real key
        p = tl.exp2(s - tile_high[:, None])
        both = tl.maximum(high, tile_high)
        old, new = tl.exp2(high - both), tl.exp2(tile_high - both)
        total = old * total + new * tl.sum(p, axis=1)
        part = tl.dot(p.to(v.dtype), v, input_precision="ieee")
        acc = acc * old[:, None] + part * new[:, None]
        high = both
    o = acc / total[:, None]
    tl.store(o_ptr + here, o.to(o_ptr.dtype.element_ty), mask=real)
    L = high * 0.6931471805599453 + tl.log(total)
    tl.store(L_ptr + rows, L, mask=rows < n_q)


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
