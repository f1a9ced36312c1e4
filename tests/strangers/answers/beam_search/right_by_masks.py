# right: which continuations are looked at, end and go on is three masks over the sorted row; numbers go to Python once a step
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
    """The best answers to a prompt that a search with n_beams beams finds."""
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    for length in range(1, max_tokens + 1):
        total, beam, token = best_continuations(scores, logits, 2 * n_beams)
        ends = token == end
        goes_on = (~ends).long()
        looked_at = goes_on.cumsum(0) - goes_on < n_beams  # fewer than n_beams before it
        over = looked_at if length == max_tokens else looked_at & ends
        value = (total[over] / length**alpha).tolist()
        for score, b, t in zip(value, beam[over].tolist(), token[over].tolist()):
            finished.append((score, [*texts[b], t]))
        finished = sorted(finished, key=lambda answer: -answer[0])[:n_beams]
        new = looked_at & ~over
        scores, parents, last = total[new], beam[new].tolist(), token[new].tolist()
        if not parents:
            break
        if len(finished) == n_beams:
            hope = float(scores[0] / max_tokens**alpha)
            if hope <= finished[-1][0]:
                break
        texts = [[*texts[b], t] for b, t in zip(parents, last)]
        logits = answers.grow(parents, last)
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
