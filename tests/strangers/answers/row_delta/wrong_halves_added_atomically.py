# gives each half of the columns to a program of its own and adds atomically to a delta of zeros: values right to rounding, but delta is written twice (and read), on every input
@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    HALF: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    column = tl.program_id(2) * HALF
    o = o_desc.load([b, h, first, column]).reshape(TILE_M, HALF).to(tl.float32)
    do = do_desc.load([b, h, first, column]).reshape(TILE_M, HALF).to(tl.float32)
    tl.atomic_add(delta_ptr + head.to(tl.int64) * n_q + rows, tl.sum(o * do, axis=1), mask=rows < n_q)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.zeros(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d // 2]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads, 2)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
