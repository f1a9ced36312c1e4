# Options passed through apply and kept on ctx by setup_context; L is marked as not differentiable; None for each option.
class _Flash(torch.autograd.Function):
    @staticmethod
    def forward(q, k, v, options):
        return causal_flash.flash_attention(q, k, v, **options)

    @staticmethod
    def setup_context(ctx, inputs, output):
        q, k, v, ctx.options = inputs
        o, L = output
        ctx.mark_non_differentiable(L)
        ctx.save_for_backward(q, k, v, o, L)

    @staticmethod
    def backward(ctx, do, _):
        q, k, v, o, L = ctx.saved_tensors
        return *attention_backward(q, k, v, o, L, do, **ctx.options), None


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    options = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}
    leaves = [x.detach().requires_grad_() for x in (q, k, v)]
    o, _ = _Flash.apply(*leaves, options)
    dq, dk, dv = torch.autograd.grad(o, leaves, do)
    return o.detach(), dq, dk, dv
