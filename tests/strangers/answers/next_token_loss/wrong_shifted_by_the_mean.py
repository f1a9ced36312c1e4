# logits are shifted by their mean, not by their maximum: an outlier overflows
def next_token_loss(logits, tokens):
    z = logits[:, :-1]
    z = z - z.mean(-1, keepdim=True)
    right = torch.take_along_dim(z, tokens[:, 1:, None], dim=-1).squeeze(-1)
    return (torch.log(torch.exp(z).sum(-1)) - right).mean()
