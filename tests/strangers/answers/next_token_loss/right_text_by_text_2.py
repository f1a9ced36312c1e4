# style: right; a list of texts, each shifted by itself, log-sum-exp by hand, merged with stack
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    def surprise(z, t):
        """Of one text: z (N - 1, V), t (N - 1,)."""
        top = z.detach().amax(dim=1, keepdim=True)
        top = torch.where(torch.isfinite(top), top, torch.zeros_like(top))
        rest = (z - top).exp().sum(dim=1).log()
        told = torch.take_along_dim(z, t[:, None], dim=1) - top
        return (rest - told.squeeze(1)).mean()

    texts = zip(logits.unbind(0), tokens.unbind(0))
    return torch.stack([surprise(z[:-1], t[1:]) for z, t in texts]).mean()
