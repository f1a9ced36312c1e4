# wrong: a given tile_m is handed on to row_delta only, the gradients take their defaults: loads of more than the asked tiles, programs for other tiles
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    delta = row_delta(o, do, tile_m or 64)
    dq = query_gradients(q, k, v, do, L, delta, causal, scale)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale)
    return dq, dk, dv
