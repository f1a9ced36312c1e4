# the keys come transposed out of a block pointer; a helper makes the pointers
@triton.jit
def _window(base, height, width, step_down, step_right, top, left, H: tl.constexpr, W: tl.constexpr):
    return tl.make_block_ptr(
        base, (height, width), (step_down, step_right), (top, left), (H, W), (1, 0)
    )


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    top, left = tl.program_id(0) * TILE_M, tl.program_id(1) * TILE_N
    queries = tl.load(
        _window(q_ptr, n_q, D, D, 1, top, 0, TILE_M, D),
        boundary_check=(0,), padding_option="zero",
    )  # fmt: skip
    keys = tl.load(
        _window(k_ptr, D, n_k, 1, D, 0, left, D, TILE_N),
        boundary_check=(1,), padding_option="zero",
    )  # fmt: skip
    scores = tl.dot(queries, keys, input_precision="ieee") * scale
    tl.store(
        _window(s_ptr, n_q, n_k, n_k, 1, top, left, TILE_M, TILE_N), scores, boundary_check=(0, 1)
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
