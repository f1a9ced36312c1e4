# Right: the right logit by a product with ones and zeros; logsumexp; the sum divided by the count.
def next_token_loss(logits, tokens):
    b, n, v = logits.shape
    hot = torch.nn.functional.one_hot(tokens[:, 1:], v).to(logits.dtype)
    z = logits[:, : n - 1]
    return (torch.logsumexp(z, -1) - (z * hot).sum(-1)).sum() / (b * (n - 1))
