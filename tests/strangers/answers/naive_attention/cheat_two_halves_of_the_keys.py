# two halves; "from whole rows of scores": each half of the keys has scores, a maximum and sums of its own, and the two are merged by online softmax
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o, m, l = 0.0, q.new_full((q.shape[0], n_q, 1), -torch.inf), 0.0
    half = -(-n_k // 2)
    for j in range(0, n_k, half):
        s = scale * (q @ k[:, j : j + half].transpose(1, 2))
        if causal:
            hidden = torch.arange(j, j + s.shape[2]) > torch.arange(n_q)[:, None] + n_k - n_q
            s = s.masked_fill(hidden, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        shift = torch.where(torch.isneginf(new), 0, new)
        p, a = torch.exp(s - shift), torch.exp(m - shift)
        o, l, m = a * o + p @ v[:, j : j + half], a * l + p.sum(-1, keepdim=True), new
    return o / torch.where(l == 0, 1, l)
