# Right: torch.split with zip, the mask as the bias of torch.addmm, torch.mm with out= a view of o.
import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    if n_q == 0:
        return o
    positions = torch.arange(n_k - n_q, n_k)
    end = n_k - n_q
    for queries, rows, out in zip(q.split(chunk), positions.split(chunk), o.split(chunk)):
        end += len(out)
        bias = queries.new_zeros(len(out), end)
        bias.masked_fill_(torch.arange(end) > rows[:, None], -torch.inf)
        weights = torch.softmax(torch.addmm(bias, queries, k[:end].T, alpha=scale), dim=1)
        torch.mm(weights, v[:end], out=out)
    return o
