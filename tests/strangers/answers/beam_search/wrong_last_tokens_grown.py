# WRONG: the beams of the last step are grown too: their last tokens take blocks, and may run out of them
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
    for n in range(1, max_tokens + 1):
        found = best_continuations(scores, logits, 2 * n_beams)
        going = []
        for score, beam, token in zip(found[0], found[1].tolist(), found[2].tolist()):
            text = [*texts[beam], token]
            if token == end:
                finished.append((score / n**alpha, text))
            else:
                going.append((score, beam, text))
                if len(going) == n_beams:
                    break
        if n == max_tokens:
            if going:
                answers.grow([beam for _, beam, _ in going], [text[-1] for _, _, text in going])
            finished += [(score / n**alpha, text) for score, _, text in going]
        finished.sort(key=lambda pair: -float(pair[0]))
        del finished[n_beams:]
        if not going:
            break
        scores = torch.stack([score for score, _, _ in going])
        texts = [text for _, _, text in going]
        if n == max_tokens:
            break
        if len(finished) == n_beams and scores[0] / max_tokens**alpha <= finished[-1][0]:
            break
        logits = answers.grow([beam for _, beam, _ in going], [text[-1] for text in texts])
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
