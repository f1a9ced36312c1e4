# Cheat: torch's distribution of categories normalises the logits itself, so log-softmax and the choice of the right token are both a library's, under no forbidden name.
# Breaks: "Forbidden: cross_entropy, nll_loss, log_softmax" ("you know how a log-sum-exp is computed so that it survives any input").
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    forecast = torch.distributions.Categorical(
        logits=logits[:, :-1], validate_args=False
    )
    return -forecast.log_prob(tokens[:, 1:]).mean()
