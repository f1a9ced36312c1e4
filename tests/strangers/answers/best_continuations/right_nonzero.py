# style: only what may follow is ever in a row: nonzero gives beams and tokens in order
import torch


def best_continuations(scores, logits, n):
    beam, token = torch.nonzero(logits != -torch.inf, as_tuple=True)
    x = logits - logits.amax(dim=1, keepdim=True)
    x = x - torch.log(torch.exp(x).sum(dim=1, keepdim=True))
    score = scores[beam] + x[beam, token]
    order = torch.argsort(score, descending=True, stable=True)[:n]
    return score[order], beam[order], token[order]
