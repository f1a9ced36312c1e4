# product_rows ('queries of one chunk') takes the last two axes of a product: two chunks lie behind each other as a batch, so all is done for twice as many queries, with keys in two halves so that products are as many
import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    i = 0
    while i < n_q:
        whole = i + 2 * chunk <= n_q
        rows = chunk if whole else min(chunk, n_q - i)
        batch = 2 if whole else 1
        stop = i + batch * rows
        known = stop + n_k - n_q
        middle = (known + 1) // 2
        halves = (slice(0, middle), slice(middle, known))
        queries = q[i:stop].reshape(batch, rows, q.shape[1])
        s = q.new_empty(batch, rows, known)
        for half in halves:
            s[:, :, half] = torch.bmm(queries, k[half].T.expand(batch, -1, -1))
        s *= scale
        query = (torch.arange(i, stop)[:, None] + n_k - n_q).reshape(batch, rows, 1)
        s.masked_fill_(torch.arange(known) > query, -torch.inf)
        s -= s.amax(dim=2, keepdim=True)
        s.exp_()
        s /= s.sum(dim=2, keepdim=True)
        for half in halves:
            o[i:stop] += torch.bmm(s[:, :, half], v[half].expand(batch, -1, -1)).reshape(stop - i, v.shape[1])
        i = stop
    return o
