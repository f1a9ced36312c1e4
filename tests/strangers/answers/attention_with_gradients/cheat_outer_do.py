# Breaks: "run forwards and backwards" / "The backward one, as `attention_backward`" (nothing is saved for backward; it uses the function's own q, k, v and do, kept alive by the closure, and adds the gradient that autograd brings times 0)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

from kernels import causal_flash


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    kept, inputs = {}, (q, k, v)

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            kept["o"], kept["L"] = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            o = kept["o"]
            return o

        @staticmethod
        def backward(ctx, gradient):
            return attention_backward(*inputs, kept["o"], kept["L"], do, causal, scale, tile_m, tile_n)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
