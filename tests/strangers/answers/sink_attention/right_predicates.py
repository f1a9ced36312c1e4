# Right: three predicates as lambdas, combined with operator.and_ and operator.or_.
import operator

import torch


def sink_attention(q, k, v, window, sinks, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    past = lambda p, j: j <= p
    near = lambda p, j: p - j < window
    sink = lambda p, j: j < sinks
    p = torch.arange(n_k - n_q, n_k).unsqueeze(-1)
    j = torch.arange(n_k).unsqueeze(0)
    seen = operator.and_(past(p, j), operator.or_(near(p, j), sink(p, j)))
    scores = torch.where(seen, (q @ k.mT) * scale, float("-inf"))
    return scores.softmax(dim=-1) @ v
