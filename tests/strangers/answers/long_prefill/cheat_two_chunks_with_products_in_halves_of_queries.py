# memory and product_rows ('`chunk` queries at a time'): two chunks share keys, mask and softmax, in place within six matrices of one chunk; only the products are cut into chunks of queries
import torch


def long_prefill(q, k, v, chunk, window, sinks=0, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, 2 * chunk):
        stop = min(i + 2 * chunk, n_q)
        first, known = i + n_k - n_q, stop + n_k - n_q
        head = min(sinks, known)
        start = max(first - window + 1, head)
        s = q.new_empty(stop - i, head + known - start)
        parts = [(a, min(a + chunk, stop)) for a in range(i, stop, chunk)]
        for a, b in parts:
            torch.mm(q[a:b], k[:head].T, out=s[a - i : b - i, :head])
            torch.mm(q[a:b], k[start:known].T, out=s[a - i : b - i, head:])
        s *= scale
        query = torch.arange(first, known)[:, None]
        s[:, :head].masked_fill_(torch.arange(head) > query, -torch.inf)
        near = torch.arange(start, known)
        s[:, head:].masked_fill_(near > query, -torch.inf)
        s[:, head:].masked_fill_((near <= query - window) & (near >= sinks), -torch.inf)
        s -= s.amax(dim=1, keepdim=True)
        s.exp_()
        s /= s.sum(dim=1, keepdim=True)
        for a, b in parts:
            rows = s[a - i : b - i]
            o[a:b] = rows[:, :head] @ v[:head] + rows[:, head:] @ v[start:known]
    return o
