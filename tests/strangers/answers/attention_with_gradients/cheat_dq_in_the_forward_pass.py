# backwards ("half of what a backward pass multiplies"): the forward pass takes the loss's gradient, which it could not know, from the function around it, and finds dq; the backward one hands it out, and does four of seven products
def attention_with_gradients(q, k, v, do, causal=False, scale=None, tile_m=None, tile_n=None):
    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            delta = row_delta(o, do)
            dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q, k, v, L, delta, dq)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, L, delta, dq = ctx.saved_tensors
            return dq, *key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
