# two descriptor loads and a helper for the inner product of rows
@triton.jit
def _row_dot(a, b):
    return tl.sum(a.to(tl.float32) * b.to(tl.float32), axis=1)


@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    first = tl.program_id(0) * TILE_M
    o = o_desc.load([head // H, head % H, first, 0]).reshape(TILE_M, D)
    do = do_desc.load([head // H, head % H, first, 0]).reshape(TILE_M, D)
    rows = first + tl.arange(0, TILE_M)
    tl.store(delta_ptr + head.to(tl.int64) * n_q + rows, _row_dot(o, do), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
