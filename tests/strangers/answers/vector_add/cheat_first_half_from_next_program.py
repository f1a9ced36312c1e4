# program i adds its own tile: each is shifted around by half a tile, with the two loads' bytes the same; the first program takes both ends
@triton.jit
def vector_add_kernel(x_ptr, y_ptr, out_ptr, n, TILE: tl.constexpr):
    """One tile of out = x + y: program i adds elements i * TILE to (i + 1) * TILE - 1."""
    ### BEGIN SOLUTION
    whole = tl.num_programs(0) * TILE
    offsets = (tl.program_id(0) * TILE + TILE // 2 + tl.arange(0, TILE)) % whole
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


def vector_add(x: Tensor, y: Tensor, tile: int = 1024) -> Tensor:
    """The sum of two vectors, one program for each tile of consecutive elements.

    x, y: (n,) float32, float16 or bfloat16, contiguous. tile: elements per program, a power
    of two. Returns x + y, (n,), same dtype.
    Bytes moved: those of x and y once, and those of the result once. Memory: the result.
    """
    out = torch.empty_like(x)
    n = x.numel()
    vector_add_kernel[(triton.cdiv(n, tile),)](x, y, out, n, TILE=tile)
    return out
