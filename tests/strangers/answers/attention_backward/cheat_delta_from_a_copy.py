# Cheat: hands contiguous copies of everything to all three parts, made before and alive to the end, so that what is contiguous is copied too wherever its storage is larger than it (slices), and nobody copies twice.
# Breaks: "Memory: these, delta, and copies of what is not contiguous."
import torch
from torch import Tensor


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    q, k, v, o, do = (
        x.clone(memory_format=torch.contiguous_format) for x in (q, k, v, o, do)
    )
    delta = row_delta(o, do)
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, dk, dv
