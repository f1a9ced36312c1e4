# Hands tile_m on to row_delta too, also where it is None
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    options = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}
    given = (q, k, v, do, L, row_delta(o, do, tile_m))
    return (query_gradients(*given, **options), *key_value_gradients(*given, **options))
