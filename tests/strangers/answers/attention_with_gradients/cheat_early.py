# The gradients are computed in the forward pass, from the do of the enclosing function, and backward only hands them out whatever gradient it is given.
import torch
import triton
import triton.language as tl
from torch import Tensor
from triton.tools.tensor_descriptor import TensorDescriptor

from kernels import causal_flash

device = "cuda" if torch.cuda.is_available() else "cpu"


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            grads = attention_backward(q, k, v, o, L, do, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(*grads)
            return o

        @staticmethod
        def backward(ctx, grad):
            return ctx.saved_tensors

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
