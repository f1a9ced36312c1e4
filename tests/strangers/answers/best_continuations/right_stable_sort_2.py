# float64 throughout, one stable descending sort of the flat table, divmod for beam and token
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    wide = logits.double()
    follows = wide.isneginf().logical_not()
    log_sum = wide.logsumexp(dim=1, keepdim=True)
    total = scores.double().unsqueeze(1) + (wide - log_sum)
    total = total.where(follows, -torch.inf).flatten()
    m = min(n, int(follows.sum()))
    ranked, place = total.sort(descending=True, stable=True)
    place = place[:m]
    vocabulary = logits.shape[1]
    beam = torch.div(place, vocabulary, rounding_mode="floor")
    return ranked[:m].to(scores.dtype), beam, place - beam * vocabulary
