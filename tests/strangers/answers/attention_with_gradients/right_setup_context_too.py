# the newer form of autograd.Function with setup_context; L is a second output that needs no gradient
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

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(q, k, v):
            return causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)

        @staticmethod
        def setup_context(ctx, inputs, output):
            o, L = output
            ctx.mark_non_differentiable(L)
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(*inputs, o, L)

        @staticmethod
        def backward(ctx, do, _):
            how = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}
            return attention_backward(*ctx.saved_tensors, do, **how)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o, _ = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
