# loops over sequences and query heads, softmax of one row at a time
import math

import torch


def decode_shard(q, k, v, lengths, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(q.size(-1))
    batch, heads = q.size(0), q.size(1)
    group = heads // k.size(1)
    outs, sums = [], []
    for b in range(batch):
        n = int(lengths[b])
        for h in range(heads):
            if n == 0:
                outs.append(torch.zeros(v.size(-1)))
                sums.append(torch.tensor(-math.inf))
                continue
            keys, values = k[b, h // group, :n].float(), v[b, h // group, :n].float()
            row = keys @ q[b, h].float() * scale
            outs.append(torch.softmax(row, 0) @ values)
            sums.append(torch.logsumexp(row, 0))
    return torch.stack(outs).view(batch, heads, -1), torch.stack(sums).view(batch, heads)
