# nonzero lists what may follow, in the order of beams and tokens, then a stable sort
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    beam, token = torch.nonzero(logits != -torch.inf, as_tuple=True)
    top = logits.amax(1)
    L = top + (logits - top[:, None]).exp().sum(1).log()
    score = scores[beam] + (logits[beam, token] - L[beam])
    score, order = score.sort(descending=True, stable=True)
    return score[:n], beam[order][:n], token[order][:n]
