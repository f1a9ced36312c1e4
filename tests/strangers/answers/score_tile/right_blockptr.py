# Right: two-dimensional block pointers, the keys loaded transposed through swapped strides.
import torch
import triton
import triton.language as tl


@triton.jit
def score_tile_kernel(
    q_ptr, k_ptr, s_ptr, n_q, n_k, scale,
    D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    row, column = tl.program_id(0) * TILE_M, tl.program_id(1) * TILE_N
    q_block = tl.make_block_ptr(q_ptr, (n_q, D), (D, 1), (row, 0), (TILE_M, D), (1, 0))
    kt_block = tl.make_block_ptr(k_ptr, (D, n_k), (1, D), (0, column), (D, TILE_N), (0, 1))
    s_block = tl.make_block_ptr(
        s_ptr, (n_q, n_k), (n_k, 1), (row, column), (TILE_M, TILE_N), (1, 0)
    )
    q = tl.load(q_block, boundary_check=(0,), padding_option="zero")
    kt = tl.load(kt_block, boundary_check=(1,), padding_option="zero")
    s = tl.dot(q, kt, input_precision="ieee") * scale
    tl.store(s_block, s, boundary_check=(0, 1))


def score_tile(q, k, scale, tile_m=64, tile_n=64):
    (n_q, d), n_k = q.shape, len(k)
    s = torch.empty((n_q, n_k), dtype=torch.float32, device=q.device)
    score_tile_kernel[triton.cdiv(n_q, tile_m), triton.cdiv(n_k, tile_n)](
        q, k, s, n_q, n_k, scale, D=d, TILE_M=tile_m, TILE_N=tile_n
    )
    return s
