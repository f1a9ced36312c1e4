# dQ is computed without the causal mask
import math

import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

from kernels import causal_flash


def attention_with_gradients(q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False, scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None):
    opts = causal, scale, tile_m, tile_n

    class Op(torch.autograd.Function):
        @staticmethod
        def forward(q, k, v):
            return causal_flash.flash_attention(q, k, v, *opts)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_non_differentiable(output[1])
            ctx.save_for_backward(*inputs, *output)

        @staticmethod
        def backward(ctx, do, _):
            q, k, v, o, L = ctx.saved_tensors
            delta = row_delta(o, do)
            return (query_gradients(q, k, v, do, L, delta, False, *opts[1:]), *key_value_gradients(q, k, v, do, L, delta, *opts))

    leaves = [x.detach().requires_grad_() for x in (q, k, v)]
    o, _ = Op.apply(*leaves)
    return (o.detach(), *torch.autograd.grad(o, leaves, do))
