# Right: raw pointers with all eight strides instead of descriptors, nothing is copied.
import torch
import triton
import triton.language as tl


@triton.jit
def row_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q, o_b, o_h, o_n, o_d, do_b, do_h, do_n, do_d,
    TILE_M: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    b, h = head // H, head % H
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    i, c = rows[:, None].to(tl.int64), tl.arange(0, D)[None, :].to(tl.int64)
    inside = rows[:, None] < n_q
    o = tl.load(o_ptr + b * o_b + h * o_h + i * o_n + c * o_d, mask=inside, other=0.0)
    do = tl.load(do_ptr + b * do_b + h * do_h + i * do_n + c * do_d, mask=inside, other=0.0)
    delta = tl.sum(o.to(tl.float32) * do.to(tl.float32), axis=1)
    tl.store(delta_ptr + head * n_q + rows, delta, mask=rows < n_q)


def row_delta(o, do, tile_m=64):
    batch, heads, n_q, d = o.shape
    delta = torch.empty((batch, heads, n_q), dtype=torch.float32, device=o.device)
    row_delta_kernel[(triton.cdiv(n_q, tile_m), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), TILE_M=tile_m, D=d
    )
    return delta
