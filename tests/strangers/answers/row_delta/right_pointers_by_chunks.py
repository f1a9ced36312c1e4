# no descriptors and no copies: pointers with all strides, 16 columns at a time added to a vector; right
@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q, ob, oh, on, oc, db, dh, dn, dc,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = tl.program_id(0).to(tl.int64) * TILE_M + tl.arange(0, TILE_M)
    real = (rows < n_q)[:, None]
    o_row = o_ptr + b * ob + h * oh + rows[:, None] * on
    do_row = do_ptr + b * db + h * dh + rows[:, None] * dn
    total = tl.zeros((TILE_M,), tl.float32)
    for c in range(0, D, 16):
        column = (c + tl.arange(0, 16)).to(tl.int64)[None, :]
        o = tl.load(o_row + column * oc, mask=real, other=0.0).to(tl.float32)
        do = tl.load(do_row + column * dc, mask=real, other=0.0).to(tl.float32)
        total += tl.sum(o * do, axis=1)
    tl.store(delta_ptr + head * n_q + rows, total, mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=tile_m
    )
    return delta
