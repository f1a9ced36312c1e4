# Zeroes the first N_q - N_k rows whether the mask is causal or not: wrong for more queries than keys without a mask.
def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = torch.einsum("hid,hjd->hij", q, k) * scale
    if causal:
        s += torch.full((n_q, n_k), -torch.inf).triu(n_k - n_q + 1)
    o = s.softmax(-1) @ v
    o[:, : max(0, n_q - n_k)] = 0
    return o
