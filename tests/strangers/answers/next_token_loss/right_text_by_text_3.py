# one text after the other, distances to the right token's logit from the row's maximum, a mean of means
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """How surprised a model is by each next token, on average, in nats.

    logits: (B, N, V) float32, behind each token a number for each of V tokens; tokens: (B, N)
    int64, from 0 to V - 1; N >= 2. The logits behind token i are the forecast of token i + 1;
    those behind the last one forecast what is not there.
    Returns a scalar, same dtype.

        loss = mean over b and i < N - 1 of  L(z) - z_t,   z = logits_{b,i},  t = tokens_{b,i+1}

    with L the log-sum-exp of a row: -log of the softmax at the right token.
    Forbidden: cross_entropy, nll_loss, log_softmax. It stays within torch and Python.
    Arguments stay as they are, and results are new memory.
    """
    def surprise(z, t):
        z = z - z.amax(dim=1, keepdim=True)
        return torch.log(torch.exp(z).sum(dim=1)) - torch.take_along_dim(z, t.unsqueeze(1), dim=1)[:, 0]

    return torch.stack([surprise(z[:-1], t[1:]).mean() for z, t in zip(logits, tokens)]).mean()
