# right: text by text, each as its own matrix; the right tokens by index_select of one long row
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """Mean surprise; sums are taken of what lies below each row's maximum."""
    batch, n, vocabulary = logits.shape
    total = logits.new_zeros(())
    for z, text in zip(logits, tokens):
        below = z[: n - 1] - z[: n - 1].max(dim=1, keepdim=True).values
        at = torch.arange(n - 1, device=text.device) * vocabulary + text[1:]
        surprise = below.exp().sum(dim=1).log() - below.reshape(-1).index_select(0, at)
        total = total + surprise.mean() / batch
    return total
