# base 2, with the right token picked by a comparison instead of gather, and each text's mean taken first
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
    z = logits.narrow(1, 0, logits.shape[1] - 1)
    t = tokens.narrow(1, 1, tokens.shape[1] - 1)
    z = (z - z.amax(dim=-1, keepdim=True)) / 0.6931471805599453
    bits = torch.log2(torch.exp2(z).sum(dim=-1))
    right = t.unsqueeze(-1) == torch.arange(z.shape[-1], device=z.device)
    own = torch.where(right, z, torch.zeros_like(z)).sum(dim=-1)
    return (bits - own).mean(dim=1).mean() * 0.6931471805599453
