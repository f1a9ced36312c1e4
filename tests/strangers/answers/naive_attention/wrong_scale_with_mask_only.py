# The scale that is given counts in the causal branch; the other one divides by the root of d.
def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scores = torch.bmm(q, k.mT)
    if causal:
        scores *= q.shape[-1] ** -0.5 if scale is None else scale
        j, i = torch.arange(n_k), torch.arange(n_q).unsqueeze(1)
        hidden = j - i > n_k - n_q
        scores.masked_fill_(hidden, -torch.inf)
        return torch.nan_to_num(torch.bmm(scores.softmax(2), v))
    return torch.bmm((scores / q.shape[-1] ** 0.5).softmax(2), v)
