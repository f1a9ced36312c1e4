# plain loops over texts and tokens, running sum of the forecasts' costs
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    B, N, V = logits.shape
    total = torch.zeros((), dtype=logits.dtype)
    for b in range(B):
        for i in range(N - 1):
            row = logits[b, i]
            top = row.max()
            total = total + top + (row - top).exp().sum().log() - row[tokens[b, i + 1]]
    return total / (B * (N - 1))
