# one partial application for both kernels, keys first; right
from functools import partial


def attention_backward(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    tensors = {"q": q, "k": k, "v": v, "do": do, "L": L, "delta": row_delta(o=o, do=do)}
    choices = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}
    outside_keys, outside_queries = (
        partial(f, **tensors, **choices) for f in (key_value_gradients, query_gradients)
    )
    gradients = dict(zip(("k", "v"), outside_keys()))
    gradients["q"] = outside_queries()
    return tuple(gradients[name] for name in "qkv")
