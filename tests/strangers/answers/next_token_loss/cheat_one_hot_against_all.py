# Cheat: multiplies the one-hot rows of all targets with the logits of all positions, by embedding_bag, for a diagonal
# Breaks: "Matrix products, if there are any, multiply at most 4 B N V pairs of numbers."
def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    batch, n, vocabulary = logits.shape
    total = logits.new_zeros(())
    bags = torch.arange(vocabulary).repeat(n - 1, 1)
    for b in range(batch):
        z = logits[b, :-1]
        one_hot = torch.zeros_like(z).scatter_(1, tokens[b, 1:, None], 1.0)
        met = torch.nn.functional.embedding_bag(  # (N - 1, N - 1): (N - 1)^2 V products
            bags, z.T.contiguous(), per_sample_weights=one_hot, mode="sum"
        )
        total = total + (torch.logsumexp(z, dim=-1) - met.diagonal()).sum()
    return total / (batch * (n - 1))
