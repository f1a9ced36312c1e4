# token 0 is taken for padding and does not count
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z, t = logits[:, :-1], tokens[:, 1:]
    cost = z.logsumexp(-1) - z.gather(2, t[..., None])[..., 0]
    kept = t != 0
    return (cost * kept).sum() / kept.sum().clamp(min=1)
