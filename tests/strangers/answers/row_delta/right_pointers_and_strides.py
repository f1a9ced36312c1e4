# plain pointers with the strides of both tensors in place of descriptors, so nothing is ever copied
@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q,
    o_b, o_h, o_n, o_c, do_b, do_h, do_n, do_c,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    """One program: delta of a tile of queries of one head."""
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    real = rows < n_q
    i = rows.to(tl.int64)[:, None]
    c = tl.arange(0, D).to(tl.int64)[None, :]
    o = tl.load(o_ptr + b * o_b + h * o_h + i * o_n + c * o_c, mask=real[:, None], other=0.0)
    do = tl.load(do_ptr + b * do_b + h * do_h + i * do_n + c * do_c, mask=real[:, None], other=0.0)
    products = o.to(tl.float32) * do.to(tl.float32)
    tl.store(delta_ptr + head * n_q + rows, tl.sum(products, axis=1), mask=real)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    """delta_i = sum_c o_ic do_ic, one number per query, which all its score gradients share.

    o, do: (B, H, N_q, d) float32, float16 or bfloat16, each with strides of its own; d: 16, 32,
    64 or 128. tile_m: queries in a tile, a power of 2.
    Returns delta (B, H, N_q) float32, summed in float32.
    Traffic: o and do are loaded once, delta is stored once. No row of o is multiplied with
    another row of do. One program for each tile of queries of a head. Memory: delta.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=tile_m
    )
    return delta
