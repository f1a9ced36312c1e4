# one pass over the vocabulary in chunks, with a running maximum and sum for each row
def next_token_loss(logits, tokens):
    forecasts = logits.narrow(1, 0, logits.shape[1] - 1)
    targets = tokens.narrow(1, 1, tokens.shape[1] - 1)
    top = forecasts[..., 0].clone()
    total = torch.ones_like(top)
    for chunk in forecasts[..., 1:].split(4096, dim=-1):
        if not chunk.shape[-1]:
            continue
        higher = torch.maximum(top, chunk.amax(dim=-1))
        total = total * torch.exp(top - higher) + torch.exp(chunk - higher[..., None]).sum(-1)
        top = higher
    said = forecasts.take_along_dim(targets.unsqueeze(-1), dim=-1).squeeze(-1)
    return ((top - said) + total.log()).mean()
