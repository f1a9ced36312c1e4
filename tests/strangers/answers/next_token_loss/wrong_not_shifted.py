# Wrong: the logits behind a token are held against that token, as if it had been hidden.
def next_token_loss(logits, tokens):
    return (torch.logsumexp(logits, -1) - logits.gather(-1, tokens[..., None])[..., 0]).mean()
