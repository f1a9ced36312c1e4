# Cheat: the forward pass, which knows do by the closure, computes the gradients too and keeps them; backward hands them out whatever gradient comes, so it is no operation that autograd can differentiate, only one that looks like it for this do.
# Breaks: "Attention as an operation that autograd can differentiate, run forwards and backwards."
import torch
from torch import Tensor


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    wanted = do

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            known = attention_backward(q, k, v, o, L, wanted, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(*known)
            return o

        @staticmethod
        def backward(ctx, do):
            dq, dk, dv = ctx.saved_tensors
            return dq, dk, dv

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
