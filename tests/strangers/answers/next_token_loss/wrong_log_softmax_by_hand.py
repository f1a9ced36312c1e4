# Wrong: log of a softmax that has gone to 0, with a small number added to survive: sure forecasts show it.
def next_token_loss(logits, tokens):
    p = torch.softmax(logits[:, :-1], -1)
    return -torch.log(p.gather(-1, tokens[:, 1:, None]) + 1e-9).mean()
