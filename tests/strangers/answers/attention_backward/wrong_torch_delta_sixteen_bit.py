# delta by torch in the type of the inputs: 16-bit products and sums, which lose digits (bfloat16) or overflow to infinity (float16, |o do| above 65504); float32 is right.
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    delta = (o * do).sum(dim=-1).float()
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    return dq, dk, dv
