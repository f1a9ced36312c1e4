# keyword dictionaries, so that the shared arguments are written once
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    q, k, v, do = map(Tensor.contiguous, (q, k, v, do))  # once for all three
    operands = dict(q=q, k=k, v=v, do=do, L=L, delta=row_delta(o, do))
    settings = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    dq = query_gradients(**operands, **settings)
    return dq, *key_value_gradients(**operands, **settings)
