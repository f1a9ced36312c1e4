# style: options packed once, kept on ctx, three kernels called one by one
import torch
from torch import Tensor

from kernels import causal_flash


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    """Attention as an operation that autograd can differentiate, run forwards and backwards.

    q: (B, H, N_q, d), k, v: (B, H, N_k, d) float32, float16 or bfloat16, each with strides of
    its own; d: 16, 32, 64 or 128. do: (B, H, N_q, d), the gradient of the loss with respect to
    the output.
    causal, scale, tile_m, tile_n: as in `key_value_gradients`, and for the forward pass too.
    Returns o (B, H, N_q, d) and the gradients dq, dk, dv, in shape and dtype those of q, k, v.
    The forward pass runs once, and so does the backward one: what they multiply is multiplied
    once. Memory: o, L, delta and the gradients; no N_q x N_k matrix is kept or made.
    Beside launching its kernels this function may only allocate and take views, clone.
    Arguments stay as they are, and results are new memory.
    """

    options = (causal, scale, tile_m, tile_n)

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, *options)
            ctx.options = options
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, o, L = ctx.saved_tensors
            delta = row_delta(o, do)
            dq = query_gradients(q, k, v, do, L, delta, *ctx.options)
            return dq, *key_value_gradients(q, k, v, do, L, delta, *ctx.options)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
