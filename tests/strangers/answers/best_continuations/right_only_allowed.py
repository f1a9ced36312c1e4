# right: only those that may follow are listed (nonzero has the order of beams, then tokens), then one stable sort
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """The n likeliest texts that are one of the beams and a token more."""
    beam, token = (logits != -torch.inf).nonzero(as_tuple=True)
    below = logits - logits.amax(dim=1, keepdim=True)  # nan where a whole row is masked
    share = below - below.exp().sum(dim=1, keepdim=True).log()
    total = scores[beam] + share[beam, token]
    order = torch.argsort(total, descending=True, stable=True)[:n]
    return total[order], beam[order], token[order]
