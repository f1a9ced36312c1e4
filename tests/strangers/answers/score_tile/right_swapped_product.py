# style: pointers moved to the tile's corner (int64), masks by what is left, k q^T computed and stored at transposed addresses, no other=
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    first_row = tl.program_id(0).to(tl.int64) * TILE_M
    first_column = tl.program_id(1).to(tl.int64) * TILE_N
    i = tl.arange(0, TILE_M)
    j = tl.arange(0, TILE_N)
    c = tl.arange(0, D)
    q_mask = i < n_q - first_row
    k_mask = j < n_k - first_column
    q_corner = q_ptr + first_row * D
    k_corner = k_ptr + first_column * D
    s_corner = s_ptr + first_row * n_k + first_column
    q = tl.load(q_corner + i[:, None] * D + c[None, :], mask=q_mask[:, None]).to(tl.float32)
    k = tl.load(k_corner + j[:, None] * D + c[None, :], mask=k_mask[:, None]).to(tl.float32)
    transposed = tl.dot(k, tl.trans(q), input_precision="ieee")
    tl.store(
        s_corner + i[None, :] * n_k + j[:, None],
        transposed * scale,
        mask=k_mask[:, None] & q_mask[None, :],
    )


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
