# Right: the maximum is subtracted by hand, and the right logit picked by indexing.
def next_token_loss(logits, tokens):
    z = logits[:, :-1].reshape(-1, logits.shape[-1])
    t = tokens[:, 1:].reshape(-1)
    z = z - z.max(dim=-1, keepdim=True).values
    return (z.exp().sum(-1).log() - z[torch.arange(len(t)), t]).mean()
