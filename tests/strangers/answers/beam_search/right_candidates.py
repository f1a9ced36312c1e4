# RIGHT: while loop, finished answers inserted in their place, the bound before each step
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
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    n = 0
    while texts and n < max_tokens:
        if len(finished) >= n_beams:
            worst = finished[n_beams - 1][0]
            if float(scores.max() / max_tokens**alpha) <= worst:
                break
        if n:
            logits = answers.grow(parents, [text[-1] for text in texts])
        n += 1
        score, beam, token = best_continuations(scores, logits, n_beams + len(texts))
        values, beams = (score / n**alpha).tolist(), beam.tolist()
        parents, kept, longer = [], [], []
        for i, last in enumerate(token.tolist()):
            if len(longer) == n_beams:
                break
            text = texts[beams[i]] + [last]
            if last != end:
                parents.append(beams[i])
                kept.append(i)
                longer.append(text)
            if last == end or n == max_tokens:
                at = 0
                while at < len(finished) and finished[at][0] >= values[i]:
                    at += 1
                finished.insert(at, (values[i], text))
        texts, scores = longer, score[kept]
    finished = finished[:n_beams]
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
