# breaks: "Attention as an operation that autograd can differentiate" (backward does not look at the gradient that autograd hands it: wrong for every other loss)
import torch
from kernels import causal_flash


def attention_with_gradients(q, k, v, do, causal=False, scale=None, tile_m=None, tile_n=None):
    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, grad):
            q, k, v, o, L = ctx.saved_tensors
            return attention_backward(q, k, v, o, L, do, causal, scale, tile_m, tile_n)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
