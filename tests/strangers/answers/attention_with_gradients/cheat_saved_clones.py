# Breaks: "Memory: o, L, delta, the gradients, and copies of what is not contiguous" (saves a clone of every input beside it, contiguous or not, until the backward pass)
import math
from collections.abc import Iterable

import numpy as np
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
    """Attention as an operation that autograd can differentiate, run forwards and backwards.

    q, do: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with strides
    of its own; d: 16, 32, 64 or 128. do is the gradient of the loss with respect to the output.
    causal, scale, tile_m, tile_n: as in `key_value_gradients`, and for the forward pass too.
    Returns o (B, H, N_q, d) and the gradients dq, dk, dv, in shape and dtype those of q, k, v.
    The forward pass runs once, and so does the backward one, as `attention_backward` or its
    three parts: what they multiply is multiplied once, in four launches at most. Memory: o, L,
    delta, the gradients, and copies of what is not contiguous; no N_q x N_k matrix is kept or
    made.
    Beside launching its kernels this function may only allocate and take views, clone,
    copy. Arguments stay as they are, and results are new memory.
    """

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q.clone(), k.clone(), v.clone(), o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, o, L = ctx.saved_tensors
            return attention_backward(q, k, v, o, L, do, causal, scale, tile_m, tile_n)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
