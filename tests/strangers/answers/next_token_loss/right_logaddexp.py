# the log-sum-exp by folding the vocabulary with logaddexp, one token after the other
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    z = logits[:, :-1]
    L = z[..., 0]
    for v in range(1, z.shape[-1]):
        L = torch.logaddexp(L, z[..., v])
    right = torch.take_along_dim(z, tokens[:, 1:].unsqueeze(-1), dim=-1).squeeze(-1)
    return (L - right).sum().div(L.numel())
