# new style Function: forward without ctx, setup_context, L as a second output that is not differentiable
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    options = (causal, scale, tile_m, tile_n)

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(q, k, v):
            return causal_flash.flash_attention(q, k, v, *options)

        @staticmethod
        def setup_context(ctx, inputs, output):
            o, L = output
            ctx.mark_non_differentiable(L)
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(*inputs, o, L)

        @staticmethod
        def backward(ctx, do, _):
            return attention_backward(*ctx.saved_tensors, do, *options)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o, _ = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
