# Python's sort of triples, made with tolist
import torch
from torch import Tensor


def best_continuations(scores, logits, n):
    every = scores[:, None] + (logits - torch.logsumexp(logits, 1, keepdim=True))
    live = [(-s, b, t) for b, row in enumerate(every.tolist()) for t, s in enumerate(row) if s > -torch.inf]
    live = sorted(live)[:n]
    score = torch.tensor([-s for s, _, _ in live], dtype=scores.dtype)
    return score, torch.tensor([b for _, b, _ in live], dtype=torch.int64), torch.tensor([t for _, _, t in live], dtype=torch.int64)
