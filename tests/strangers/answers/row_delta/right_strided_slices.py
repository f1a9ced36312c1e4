# pointers with each tensor's own strides, 16 columns at a time, products gathered in a tile and summed once; nothing is copied
@triton.jit
def _at(ptr, b, h, s_b, s_h):
    return ptr + b * s_b + h * s_h


@triton.jit
def row_delta_kernel(
    o_ptr, g_ptr, delta_ptr, H, n_q,
    ob, oh, om, oc, gb, gh, gm, gc,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b = head // H
    h = head % H
    rows = (tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)).to(tl.int64)
    real = rows < n_q
    o_row = _at(o_ptr, b, h, ob, oh) + rows[:, None] * om
    g_row = _at(g_ptr, b, h, gb, gh) + rows[:, None] * gm
    products = tl.zeros((TILE_M, 16), tl.float32)
    for c in tl.static_range(0, D, 16):
        column = (c + tl.arange(0, 16)).to(tl.int64)[None, :]
        x = tl.load(o_row + column * oc, mask=real[:, None], other=0.0).to(tl.float32)
        y = tl.load(g_row + column * gc, mask=real[:, None], other=0.0).to(tl.float32)
        products += x * y
    tl.store(delta_ptr + head * n_q + rows, tl.sum(products, axis=1), mask=real)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty((batch, heads, n_q), dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=tile_m
    )
    return delta
