# Wrong: texts are laid end to end before the shift, so that the last logits of one meet the first token of the next.
def next_token_loss(logits, tokens):
    z, t = logits.flatten(0, 1)[:-1], tokens.flatten()[1:]
    return (torch.logsumexp(z, -1) - z[torch.arange(len(t)), t]).mean()
