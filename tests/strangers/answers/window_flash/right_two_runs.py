# Right: two runs of tiles, the second begins where both the window and the end of the first allow; one helper kernel for a step, natural exponents.
@triton.jit
def _step(
    q, o, total, top, j, position, k_ptr, v_ptr, k_row, k_column, v_row, v_column, e,
    n_k, window, sinks, scale,
):  # fmt: skip
    """A tile of queries meets the keys j."""
    there = j < n_k
    far = j.to(tl.int64)
    kT = tl.load(k_ptr + far[None, :] * k_row + e[:, None] * k_column, mask=there[None, :], other=0)
    v = tl.load(v_ptr + far[:, None] * v_row + e[None, :] * v_column, mask=there[:, None], other=0)
    back = position[:, None] - j[None, :]
    seen = there[None, :] & (back >= 0) & ((back < window) | (j < sinks)[None, :])
    s = tl.where(seen, tl.dot(q, kT, input_precision="ieee") * scale, float("-inf"))
    higher = tl.maximum(top, tl.max(s, 1))
    zero = tl.where(higher > float("-inf"), higher, 0.0)
    p = tl.exp(s - zero[:, None])
    shrink = tl.exp(top - zero)
    o = o * shrink[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
    return o, total * shrink + tl.sum(p, 1), higher


@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One program: a tile of queries of one head meets the tiles of keys that they see."""
    head = tl.program_id(1).to(tl.int64)  # counts the heads of all batches
    q_ptr += head // H * q_batch + head % H * q_head
    k_ptr += head // H * k_batch + head % H * k_head
    v_ptr += head // H * v_batch + head % H * v_head
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.full((TILE_M,), float("-inf"), tl.float32)
    e = columns.to(tl.int64)
    position = rows + (n_k - n_q)
    real = rows < n_q
    q_at = rows.to(tl.int64)[:, None] * q_row + e[None, :] * q_column
    q = tl.load(q_ptr + q_at, mask=real[:, None], other=0)
    p_0 = first + n_k - n_q
    last = tl.minimum(p_0 + TILE_M, n_k)  # one behind the last position
    end = (last + TILE_N - 1) // TILE_N
    sink_end = tl.minimum((sinks + TILE_N - 1) // TILE_N, end)
    begin = tl.maximum(tl.maximum(p_0 + 1 - window, 0) // TILE_N, sink_end)
    inside = tl.arange(0, TILE_N)
    for tile in range(0, sink_end):
        acc, l, m = _step(
            q, acc, l, m, tile * TILE_N + inside, position, k_ptr, v_ptr, k_row, k_column,
            v_row, v_column, e, n_k, window, sinks, scale,
        )  # fmt: skip
    for tile in range(begin, end):
        acc, l, m = _step(
            q, acc, l, m, tile * TILE_N + inside, position, k_ptr, v_ptr, k_row, k_column,
            v_row, v_column, e, n_k, window, sinks, scale,
        )  # fmt: skip
    some = tl.where(l > 0, l, 1.0)
    line = head * n_q + rows
    tl.store(o_ptr + line[:, None] * D + columns, acc / some[:, None], mask=real[:, None])
    tl.store(L_ptr + line, m + tl.log(some), mask=real)


def window_flash(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
    tile_m: int | None = None,
    tile_n: int | None = None,
) -> tuple[Tensor, Tensor]:
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or (32 if q.dtype == torch.float32 else 64)
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale = d**-0.5 if scale is None else scale
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
