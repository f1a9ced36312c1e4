# head by head and query by query: each query takes the prefix of keys it sees and a base-2 softmax over just these; right
LOG2_E = 1.4426950408889634


def weights_of(scores: Tensor) -> Tensor:
    shifted = (scores - scores.max()) * LOG2_E
    powers = torch.exp2(shifted)
    return powers / powers.sum()


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    (heads, n_q, d), n_k = q.shape, k.shape[1]
    factor = d**-0.5 if scale is None else scale
    o = torch.zeros(heads, n_q, v.shape[2], dtype=q.dtype)
    for h in range(heads):
        for i in range(n_q):
            seen = min(n_k, max(0, i + n_k - n_q + 1)) if causal else n_k
            if seen:
                o[h, i] = weights_of(k[h, :seen] @ q[h, i] * factor) @ v[h, :seen]
    return o
