# logsumexp minus take_along_dim, on shifted views
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    forecast, came = logits[:, :-1], tokens[:, 1:]
    at_token = forecast.take_along_dim(came.unsqueeze(-1), dim=-1).squeeze(-1)
    return torch.mean(forecast.logsumexp(dim=-1) - at_token)
