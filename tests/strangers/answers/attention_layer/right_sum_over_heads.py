# F.linear with its bias, unflatten to heads, and W_o applied head by head as a sum
def attention_layer(
    x: Tensor,
    weights: Sequence[Tensor],
    d: int,
    positions: Tensor,
    frequencies: Tensor,
    biases: Sequence[Tensor] | None = None,
    attend: Attend | None = None,
) -> Tensor:
    """The attention layer of a Llama model: projections, rotation, attention, output.

    x: (B, N, D) float32. weights: W_q (H d, D), W_k and W_v (H_kv d, D), W_o (D, H d); rows h d
    to (h + 1) d - 1 of W_q make query head h. d: width of a head.
    positions: (N,) int64; frequencies: (d/2,); queries and keys are turned by `rotate`.
    biases: (H d,), (H_kv d,), (H_kv d,), added to what W_q, W_k, W_v give; None: none.
    attend: takes q (B, H, N, d), k and v (B, H_kv, N, d), which may be views, and returns o
    (B, H, N, d). It knows where earlier keys are kept, so it is called once for all heads, and
    with each KV head once; if None, `causal_attention`, for which there are no earlier keys.
    Returns y (B, N, D), same dtype: W_o of all heads' outputs, side by side in each row.
    Memory: beside what `attend` takes, queries, keys, values and outputs a few times.
    Forbidden: scaled_dot_product. It stays within torch and Python. It calls rotate and
    causal_attention. Arguments stay as they are, and results are new memory.
    """
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    linear = torch.nn.functional.linear
    b_q, b_k, b_v = biases if biases is not None else (None, None, None)
    q, k, v = (
        linear(x, w, bias).unflatten(-1, (w.shape[0] // d, d)).movedim(2, 1)
        for w, bias in ((w_q, b_q), (w_k, b_k), (w_v, b_v))
    )
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    y = torch.zeros_like(x)
    for h in range(q.shape[1]):
        y += linear(o[:, h], w_o[:, h * d : (h + 1) * d])
    return y
