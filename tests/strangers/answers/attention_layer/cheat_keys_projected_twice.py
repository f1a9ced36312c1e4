# keys are computed twice
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
    Products: the four projections once, and those of `attend`.
    """
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    rows = [x @ w_k.T]
    rows = [x @ w.T for w in (w_q, w_k, w_v)]
    if biases is not None:
        rows = [row + bias for row, bias in zip(rows, biases)]
    q, k, v = (row.unflatten(-1, (-1, d)).transpose(1, 2) for row in rows)
    q, k = rotate(q, positions, frequencies), rotate(k, positions, frequencies)
    o = attend(q, k, v)
    return o.transpose(1, 2).flatten(2) @ w_o.T

