# Half as many queries at a time as it may take: `chunk` says the most.
import torch
def chunked_prefill(q, k, v, chunk, scale=None):
    n, d = q.shape
    m = k.shape[0]
    scale = d ** -0.5 if scale is None else scale
    o = torch.zeros(n, v.shape[1])
    step = max(1, chunk // 2)
    for a in range(0, n, step):
        b = min(n, a + step)
        end = b + m - n
        s = scale * (q[a:b] @ k[:end].T)
        s = s.masked_fill(torch.arange(end) > torch.arange(a, b)[:, None] + m - n, float("-inf"))
        o[a:b] = torch.softmax(s, 1) @ v[:end]
    return o
