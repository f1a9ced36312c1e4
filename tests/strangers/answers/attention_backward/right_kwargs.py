# one dictionary of settings for both kernels; keeps the contract
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    settings = dict(causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    inputs = dict(q=q, k=k, v=v, do=do, L=L, delta=row_delta(do=do, o=o))
    key_value = key_value_gradients(**inputs, **settings)
    return query_gradients(**inputs, **settings), *key_value
