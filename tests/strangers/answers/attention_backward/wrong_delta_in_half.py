# computes delta with PyTorch in the dtype of o and converts afterwards instead of calling row_delta: for fp16/bf16 products and sum are rounded, and beyond 65504 delta is inf
def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    delta = (o * do).sum(dim=-1).float().contiguous()
    tiling = {"tile_m": tile_m, "tile_n": tile_n}
    dk, dv = key_value_gradients(q, k, v, do, L, delta, causal, scale, **tiling)
    dq = query_gradients(q, k, v, do, L, delta, causal, scale, **tiling)
    return dq, dk, dv
