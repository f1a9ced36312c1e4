# Moves the three pointers to the program's tile first, counts rows and keys from there, and masks by what is left; k is loaded as (D, TILE_N).
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    top = tl.program_id(0) * TILE_M
    left = tl.program_id(1) * TILE_N
    q_ptr += top * D
    k_ptr += left * D
    s_ptr += top * n_k + left
    i = tl.arange(0, TILE_M)[:, None]
    j = tl.arange(0, TILE_N)[None, :]
    c = tl.arange(0, D)
    q = tl.load(q_ptr + i * D + c[None, :], mask=i < n_q - top, other=0.0)
    kt = tl.load(k_ptr + j * D + c[:, None], mask=j < n_k - left, other=0.0)
    acc = tl.dot(q, kt, input_precision="ieee")
    tl.store(s_ptr + i * n_k + j, acc * scale, mask=(i < n_q - top) & (j < n_k - left))


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
