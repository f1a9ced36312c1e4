# computes the transposed tile K Q^T in slices of 16 columns, both operands loaded slice by slice, stored through transposed addresses
@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    query = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)[None, :]
    key = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)[:, None]
    query_ok, key_ok = query < n_q, key < n_k
    across, down = tl.arange(0, 16)[None, :], tl.arange(0, 16)[:, None]
    acc = tl.zeros((TILE_N, TILE_M), tl.float32)
    for c in tl.static_range(0, D, 16):
        kt = tl.load(k_ptr + key * D + (c + across), mask=key_ok, other=0.0)
        qt = tl.load(q_ptr + query * D + (c + down), mask=query_ok, other=0.0)
        acc += tl.dot(kt, qt, input_precision="ieee")
    tl.store(s_ptr + query * n_k + key, acc * scale, mask=query_ok & key_ok)


def score_tile(
    q: Tensor, k: Tensor, scale: float, tile_m: int = 64, tile_n: int = 64
) -> Tensor:
    n_q, d = q.shape
    n_k = k.shape[0]
    s = torch.empty(n_q, n_k, dtype=torch.float32, device=q.device)
    grid = (triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n))
    score_tile_kernel[grid](q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n)
    return s
