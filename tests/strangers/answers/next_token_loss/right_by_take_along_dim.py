# picks the right token's logit with take_along_dim, and shifts by each row's maximum
def next_token_loss(logits, tokens):
    z = logits[:, :-1]
    z = z - z.amax(-1, keepdim=True)
    right = torch.take_along_dim(z, tokens[:, 1:, None], dim=-1).squeeze(-1)
    return (torch.log(torch.exp(z).sum(-1)) - right).mean()
