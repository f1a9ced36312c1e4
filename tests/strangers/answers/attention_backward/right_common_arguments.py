# list of common arguments that all calls unpack, keys and values first; the tile of row_delta only where one was given
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    delta = row_delta(o, do) if tile_m is None else row_delta(o, do, tile_m)
    common = [q, k, v, do, L, delta, causal, scale, tile_m, tile_n]
    found = {}
    found["k"], found["v"] = key_value_gradients(*common)
    found["q"] = query_gradients(*common)
    return tuple(found[name] for name in "qkv")
