# Counts all causal tiles and jumps over the body of a hidden one by an if; -1e30 stands for -inf and weights of what is hidden are set to 0.
@triton.jit
def window_flash_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L_ptr, H, n_q, n_k, window, sinks, scale_2,
    q_batch, q_head, q_row, q_column, k_batch, k_head, k_row, k_column,
    v_batch, v_head, v_row, v_column,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b = head // H
    h = head - b * H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    q = tl.load(
        q_ptr + b * q_batch + h * q_head + rows[:, None] * q_row + columns[None, :] * q_column,
        mask=rows[:, None] < n_q, other=0,
    )
    k_ptr = k_ptr + b * k_batch + h * k_head
    v_ptr = v_ptr + b * v_batch + h * v_head
    acc = tl.zeros((TILE_M, D), tl.float32)
    l = tl.zeros((TILE_M,), tl.float32)
    m = tl.zeros((TILE_M,), tl.float32) - 1e30
    here = rows + (n_k - n_q)
    count = tl.cdiv(tl.minimum(first + TILE_M + n_k - n_q, n_k), TILE_N)
    for t in range(0, count):
        is_sink = t * TILE_N < sinks
        is_near = (t + 1) * TILE_N > first + n_k - n_q - window + 1
        if is_sink | is_near:
            j = t * TILE_N + tl.arange(0, TILE_N)
            k = tl.load(k_ptr + j[:, None] * k_row + columns[None, :] * k_column, mask=j[:, None] < n_k, other=0)
            s = tl.dot(q, k.T, input_precision="ieee") * scale_2
            distance = here[:, None] - j[None, :]
            seen = (distance >= 0) & ((distance < window) | (j[None, :] < sinks))
            s = tl.where(seen, s, -1e30)
            top = tl.maximum(m, tl.max(s, axis=1))
            p = tl.where(seen, tl.exp2(s - top[:, None]), 0.0)
            alpha = tl.exp2(m - top)
            l = l * alpha + tl.sum(p, axis=1)
            v = tl.load(v_ptr + j[:, None] * v_row + columns[None, :] * v_column, mask=j[:, None] < n_k, other=0)
            acc = acc * alpha[:, None]
            acc += tl.dot(p.to(v.dtype), v, input_precision="ieee")
            m = top
    out = head * n_q + rows
    tl.store(o_ptr + out[:, None] * D + columns[None, :], acc / l[:, None], mask=rows[:, None] < n_q)
    tl.store(L_ptr + out, m * 0.6931471805599453 + tl.log(l), mask=rows < n_q)


def window_flash(q, k, v, window, sinks=0, scale=None, tile_m=None, tile_n=None):
    batch, heads, n_q, d = q.shape
    n_k = k.shape[2]
    tile_m, tile_n = tile_m or 32, tile_n or 64
    o = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    L = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device)
    scale_2 = (d**-0.5 if scale is None else scale) * math.log2(math.e)
    window_flash_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        q, k, v, o, L, heads, n_q, n_k, min(window, n_k), min(sinks, n_k), scale_2,
        *q.stride(), *k.stride(), *v.stride(), D=d, TILE_M=tile_m, TILE_N=tile_n,
    )  # fmt: skip
    return o, L
