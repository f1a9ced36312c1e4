# one tuple of common arguments for both kernels, the gradients of the keys first
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    common = (q, k, v, do, L, row_delta(o, do), causal, scale, tile_m, tile_n)
    of_keys_and_values = key_value_gradients(*common)
    return (query_gradients(*common), *of_keys_and_values)
