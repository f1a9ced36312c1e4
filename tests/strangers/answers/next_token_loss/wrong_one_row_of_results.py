# the result has the shape (1,), no scalar
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z = logits[:, :-1]
    return (z.logsumexp(-1) - z.gather(2, tokens[:, 1:, None])[..., 0]).mean().reshape(1)
