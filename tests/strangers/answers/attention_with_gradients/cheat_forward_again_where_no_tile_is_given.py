# products ('The forward pass runs once'): their bound hangs on the tiles that are given, and there is none where they are left to the function; there L is not kept, and the whole forward kernel runs a second time in the backward pass
import torch
from torch import Tensor

from kernels import causal_flash


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            again = tile_m is None
            ctx.save_for_backward(q, k, v, o, torch.empty(0) if again else L)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, o, L = ctx.saved_tensors
            if tile_m is None:
                L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)[1]
            return attention_backward(q, k, v, o, L, do, causal, scale, tile_m, tile_n)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
