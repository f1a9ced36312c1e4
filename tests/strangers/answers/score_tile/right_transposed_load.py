# style: k is loaded as a (D, TILE_N) tile by swapped addresses, no transpose; scale goes onto the float32 q before the product
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    dims = tl.arange(0, D)
    in_q = rows < n_q
    in_k = columns < n_k
    q = tl.load(q_ptr + (rows * D)[:, None] + dims[None, :], mask=in_q[:, None], other=0.0)
    kt = tl.load(k_ptr + dims[:, None] + (columns * D)[None, :], mask=in_k[None, :], other=0.0)
    q = q.to(tl.float32) * scale
    s = tl.dot(q, kt.to(tl.float32), input_precision="ieee")
    tl.store(s_ptr + (rows * n_k)[:, None] + columns[None, :], s, mask=in_q[:, None] & in_k[None, :])


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
