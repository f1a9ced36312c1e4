# Takes delta from do and do, mistaking the arguments, as |dO|^2.
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    delta = row_delta(do, do)
    args = (q, k, v, do, L, delta, causal, scale, tile_m, tile_n)
    dk, dv = key_value_gradients(*args)
    return query_gradients(*args), dk, dv
