# LLM-written: everything in float64 and returned so, which the first case shows.
def next_token_loss(logits, tokens):
    z = logits.double()[:, :-1]
    return (z.logsumexp(-1) - z.gather(-1, tokens[:, 1:, None]).squeeze(-1)).mean()
