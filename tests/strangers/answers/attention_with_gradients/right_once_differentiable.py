# style: class outside the function, extra non-tensor arguments get None gradients, @once_differentiable
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class _Attention(torch.autograd.Function):
    """Options come as arguments of apply; their gradients are None."""

    @staticmethod
    def forward(ctx, q, k, v, options):
        o, lse = flash_attention(q, k, v, **options)
        ctx.save_for_backward(q, k, v, o, lse)
        ctx.options = options
        return o

    @staticmethod
    @once_differentiable
    def backward(ctx, do):
        grads = attention_backward(*ctx.saved_tensors, do, **ctx.options)
        return (*grads, None)


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    leaves = [x.detach().requires_grad_(True) for x in (q, k, v)]
    o = _Attention.apply(*leaves, dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n))
    dq, dk, dv = torch.autograd.grad(o, leaves, grad_outputs=do)
    return o.detach(), dq, dk, dv
