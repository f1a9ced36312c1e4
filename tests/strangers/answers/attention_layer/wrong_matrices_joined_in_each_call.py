# port of nanoGPT, which keeps one matrix: here the three are joined in each call, so that each token copies them
def attention_layer(
    x: Tensor,
    weights: Sequence[Tensor],
    d: int,
    positions: Tensor,
    frequencies: Tensor,
    biases: Sequence[Tensor] | None = None,
    attend: Attend | None = None,
) -> Tensor:
    attend = attend or causal_attention
    w_q, w_k, w_v, w_o = weights
    B, N, _ = x.shape
    qkv = x @ torch.cat([w_q, w_k, w_v]).T
    if biases is not None:
        qkv = qkv + torch.cat([*biases])
    sizes = [len(w_q), len(w_k), len(w_v)]
    q, k, v = (part.view(B, N, -1, d).transpose(1, 2) for part in qkv.split(sizes, dim=2))
    o = attend(rotate(q, positions, frequencies), rotate(k, positions, frequencies), v)
    return o.transpose(1, 2).contiguous().view(B, N, -1) @ w_o.T
