# Right: sets Triton's allocator where there is a GPU, as code with descriptors does, though it makes none.
def memory(size: int, alignment: int, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)


@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    there = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=there) + tl.load(y_ptr + at, mask=there), mask=there)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    if x.device.type == "cuda":
        triton.set_allocator(memory)
    out = torch.empty_like(x)
    vector_add_kernel[(triton.cdiv(x.numel(), tile),)](x, y, out, x.numel(), TILE=tile)
    return out
