# Arguments collected in a dictionary, keys and values first, starred result; tile_m passed on to delta when given.
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    delta = row_delta(o, do) if tile_m is None else row_delta(o, do, tile_m)
    given = (q, k, v, do, L, delta)
    options = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}
    keys_and_values = key_value_gradients(*given, **options)
    return query_gradients(*given, **options), *keys_and_values
