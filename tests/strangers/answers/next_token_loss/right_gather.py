# logsumexp and gather, a mean over what is left
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z, t = logits[:, :-1, :], tokens[:, 1:, None]
    return (torch.logsumexp(z, -1) - z.gather(2, t)[..., 0]).mean()
