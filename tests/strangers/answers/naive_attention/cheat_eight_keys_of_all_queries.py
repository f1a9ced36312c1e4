# tiles; "from whole rows of scores": eight keys of all queries at a time, with the recurrence of online softmax: as many powers at once as a row has keys, which is all that is asked
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    scale = d**-0.5 if scale is None else scale
    o = q.new_zeros(heads, n_q, v.shape[2])
    m = q.new_full((heads, n_q, 1), -torch.inf)
    l = q.new_zeros(heads, n_q, 1)
    query = torch.arange(n_q)[:, None]
    for j in range(0, n_k, 8):
        s = scale * (q @ k[:, j : j + 8].transpose(1, 2))
        if causal:
            key = torch.arange(j, min(j + 8, n_k))
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        shift = torch.where(torch.isneginf(new), 0, new)
        p, a = torch.exp(s - shift), torch.exp(m - shift)
        o, l, m = a * o + p @ v[:, j : j + 8], a * l + p.sum(-1, keepdim=True), new
    return o / torch.where(l == 0, 1, l)
