# Torch.topk takes the best ones, which does not keep equal ones in the order of beams and tokens, and counts masked ones too.
import torch


def best_continuations(scores, logits, n):
    total = (scores[:, None] + torch.log_softmax(logits, dim=1)).flatten()
    total = torch.where(total.isnan(), -torch.inf, total)
    score, place = total.topk(min(n, total.numel()))
    return score, place // logits.shape[1], place % logits.shape[1]
