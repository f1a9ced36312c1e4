# functools.partial binds the settings; the Function is as short as it can be
from functools import partial


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    settings = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    run_forward = partial(causal_flash.flash_attention, **settings)
    run_backward = partial(attention_backward, **settings)

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            o, L = run_forward(q, k, v)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do: Tensor) -> tuple[Tensor, ...]:
            return run_backward(*ctx.saved_tensors, do)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
