# walks along d in pieces of 16, loads k transposed, sums in float32; the mask of the store is made of two factors
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """One tile of S: program (a, b) has queries from a * TILE_M on, keys from b * TILE_N on."""
    rows = (tl.program_id(0) * TILE_M + tl.arange(0, TILE_M))[:, None]
    keys = (tl.program_id(1) * TILE_N + tl.arange(0, TILE_N))[None, :]
    row_real, key_real = rows < n_q, keys < n_k
    s = tl.zeros((TILE_M, TILE_N), tl.float32)
    for c in tl.static_range(0, D, 16):
        across = c + tl.arange(0, 16)[None, :]
        down = c + tl.arange(0, 16)[:, None]
        q = tl.load(q_ptr + rows * D + across, mask=row_real, other=0.0)
        kt = tl.load(k_ptr + keys * D + down, mask=key_real, other=0.0)
        s = tl.dot(q, kt, s, input_precision="ieee")
    tl.store(s_ptr + rows * n_k + keys, s * scale, mask=row_real & key_real)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    """The scores of one head, one program for each tile of them.

    q: (N_q, d), k: (N_k, d), contiguous, float32, float16 or bfloat16; d: a power of two from
    16 to 128; N_q d, N_k d and N_q N_k < 2^31. scale: of any sign, or 0. tile_m, tile_n:
    queries and keys per program, powers of two from 16 to 128.
    Returns S (N_q, N_k), float32. Products and sums are exact or float32, and nothing on the
    way to S is rounded to TF32 or to 16 bits.
    Bytes moved, at most: for each program the queries and the keys of its tile, and S once.
    Memory: S.

        S = scale * q k^T

    Beside launching its kernels this function may only allocate and take views. Arguments
    stay as they are, and results are new memory.
    """
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
