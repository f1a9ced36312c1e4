# 1e-9 is added to the probability before the logarithm: a forecast can cost no more than 20.7 nats
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    p = torch.softmax(logits[:, :-1], -1)
    return -(p.gather(2, tokens[:, 1:, None]) + 1e-9).log().mean()
