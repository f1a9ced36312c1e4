# Keeps the four axes of the descriptor's tile and sums along the last one, then reshapes.
@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    TILE_M: tl.constexpr = o_desc.block_shape[2]
    D: tl.constexpr = o_desc.block_shape[3]
    head = tl.program_id(1)
    b, h = head // H, head % H
    first = tl.program_id(0) * TILE_M
    rows = first + tl.arange(0, TILE_M)
    at = head.to(tl.int64) * n_q + rows
    where = [b, h, first, 0]
    product = o_desc.load(where).to(tl.float32) * do_desc.load(where).to(tl.float32)
    delta = tl.sum(product, axis=3).reshape(TILE_M)
    inside = rows < n_q
    tl.store(delta_ptr + at, delta, mask=inside)


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    tiles, tile = TensorDescriptor.from_tensor, [1, 1, tile_m, d]
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        tiles(o.contiguous(), tile), tiles(do.contiguous(), tile), delta, heads, n_q
    )
    return delta
