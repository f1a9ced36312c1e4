# grows the answers that are finished with the beams, and drops their logits: they take room
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
    for length in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, 2 * n_beams)
        beams = []
        for s, b, t in zip(score, beam.tolist(), token.tolist()):
            text = [*texts[b], t]
            if t == end or length == max_tokens:
                finished.append((s / length**alpha, text))
            else:
                beams.append((s, b, text))
                if len(beams) == n_beams:
                    break
        finished.sort(key=lambda pair: -pair[0].item())
        del finished[n_beams:]
        if not beams:
            break
        bound = beams[0][0] / max_tokens**alpha
        if len(finished) == n_beams and bound <= finished[-1][0]:
            break
        scores, texts = torch.stack([s for s, _, _ in beams]), [text for _, _, text in beams]
        done = [(b, t) for b, t in zip(beam.tolist(), token.tolist()) if t == end]
        logits = answers.grow([b for _, b, _ in beams] + [b for b, _ in done], [text[-1] for text in texts] + [t for _, t in done])[: len(beams)]
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
