# one tuple of positional arguments for both kernels, the result built by unpacking
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    given = (q, k, v, do, L, row_delta(o, do), causal, scale, tile_m, tile_n)
    return query_gradients(*given), *key_value_gradients(*given)
