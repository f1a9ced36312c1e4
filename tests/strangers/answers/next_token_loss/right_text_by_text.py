# Right: a loop over texts and places.
def next_token_loss(logits, tokens):
    found = []
    for z, t in zip(logits, tokens):
        for i in range(len(t) - 1):
            found.append(torch.logsumexp(z[i], 0) - z[i, t[i + 1]])
    return torch.stack(found).mean()
