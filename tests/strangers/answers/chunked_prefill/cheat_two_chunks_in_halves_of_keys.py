# memory and product_calls ('`chunk` queries at a time'): twice as many queries are taken at once, all in place, within five matrices of one chunk; their keys come in two halves, so that there are as many products as two for each chunk
import torch

def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, 2 * chunk):
        stop = min(i + 2 * chunk, n_q)
        known = stop + n_k - n_q
        middle = (known + 1) // 2
        s = q.new_empty(stop - i, known)
        for part in (slice(0, middle), slice(middle, known)):
            s[:, part] = q[i:stop] @ k[part].T
        s *= scale
        query, key = torch.arange(i, stop)[:, None] + n_k - n_q, torch.arange(known)
        s.masked_fill_(key > query, -torch.inf)
        s -= s.amax(dim=1, keepdim=True)
        s.exp_()
        s /= s.sum(dim=1, keepdim=True)
        o[i:stop] = s[:, :middle] @ v[:middle] + s[:, middle:] @ v[middle:known]
    return o
