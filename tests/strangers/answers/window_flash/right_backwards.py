# the rounds go backwards from the diagonal to key 0, so every row meets its own key before any hidden tile, natural exponentials, and borders named by tile numbers
@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
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
    ln2: tl.constexpr = 0.6931471805599453
    behind = n_k - n_q
    here = rows < n_q
    p = rows + behind
    wide = columns.to(tl.int64)
    q = tl.load(q_ptr + rows.to(tl.int64)[:, None] * q_row + wide[None, :] * q_column, mask=here[:, None], other=0.0)
    newest = tl.minimum(first + TILE_M - 1, n_q - 1) + behind
    oldest = tl.maximum(first + behind - (window - 1), 0)
    sink_tiles = (sinks + TILE_N - 1) // TILE_N
    near_begin = tl.maximum(oldest // TILE_N, sink_tiles)
    near_end = newest // TILE_N + 1
    near_tiles = tl.maximum(near_end - near_begin, 0)
    rounds = near_tiles + tl.minimum(sink_tiles, near_end)
    for turn in range(0, rounds):
        in_window = turn < near_tiles
        tile = tl.where(in_window, near_end - 1 - turn, rounds - 1 - turn)
        j = tile * TILE_N + tl.arange(0, TILE_N)
        row = j.to(tl.int64)
        kT = tl.load(k_ptr + wide[:, None] * k_column + row[None, :] * k_row, mask=(j < n_k)[None, :], other=0.0)
        s = tl.dot(q, kT, input_precision="ieee") * (scale_2 * ln2)
        age = p[:, None] - j[None, :]
        visible = (age >= 0) & ((age < window) | (j < sinks)[None, :])
        s = tl.where(visible, s, float("-inf"))
        top = tl.maximum(m, tl.max(s, axis=1))
        base = tl.where(top == float("-inf"), 0.0, top)
        e = tl.exp(s - base[:, None])
        old = tl.exp(m - base)
        l = l * old + tl.sum(e, axis=1)
        v = tl.load(v_ptr + row[:, None] * v_row + wide[None, :] * v_column, mask=(j < n_k)[:, None], other=0.0)
        acc = acc * old[:, None]
        acc += tl.dot(e.to(v.dtype), v, input_precision="ieee")
        m = top
    divisor = tl.where(l > 0, l, 1.0)
    line = head * n_q + rows
    tl.store(o_ptr + line[:, None] * D + columns[None, :], (acc / divisor[:, None]).to(o_ptr.dtype.element_ty), mask=here[:, None])
    tl.store(L_ptr + line, m + tl.log(divisor), mask=here)


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
    """`sink_attention` of many heads, which visits no tile of keys that is hidden whole.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, N_q <= N_k: the
    queries are the last N_q of the N_k tokens; d: a power of two from 16 to 128. Any strides,
    0 too, and nothing is copied; batches and heads may lie 2^30 elements apart.
    window, sinks: as in `sink_attention`.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    tile_m queries meet tile_n keys at a time, powers of two from 16 on.
    Returns o (B, H, N_q, d), same dtype, and L (B, H, N_q) float32, the natural log-sum-exp.
    All sums are taken in float32, and on the way to o only P may be rounded to 16 bits, and
    only where it meets v.
    Traffic: q once. The keys are cut into tiles of tile_n from key 0 on; for each tile of
    queries those tiles of k and v that hold a key which one of its queries sees, once each. No
    other tile is asked for, not even under a mask that leaves all of it out, or multiplied.
    Each program takes one tile of queries of one head, and no load holds more than one tile.
    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m = tile_m or (32 if q.dtype == torch.float32 else 64)
    tile_n = tile_n or (32 if q.dtype == torch.float32 else 64)
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
