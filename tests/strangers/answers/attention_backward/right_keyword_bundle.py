# bundles the shared options in a dict, calls the three functions, keys first
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    options = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    delta = row_delta(o, do)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, **options)
    return query_gradients(q, k, v, do, L, delta, **options), dk, dv
