# Cheat: a beam that can no longer become better than the worst of the best finished answers is dropped at once, and not grown with the others: the model reads fewer tokens, the answers are the same.
# Breaks: "Of the others, the first n_beams are the new beams" (fewer are), and the search is over only "when ... no beam can become better".
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
    scores = logits.new_zeros(1)
    texts: list[list[int]] = [[]]
    finished: list[tuple[Tensor, list[int]]] = []
    for n in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, 2 * n_beams)
        kept, parents, new = [], [], []
        for s, b, t in zip(score, beam.tolist(), token.tolist()):
            if t == end or n == max_tokens:
                finished.append((s / n**alpha, [*texts[b], t]))
            if t != end:
                kept.append(s)
                parents.append(b)
                new.append(t)
                if len(new) == n_beams:
                    break
        finished = sorted(finished, key=lambda answer: answer[0], reverse=True)[:n_beams]
        if n == max_tokens:
            break
        if len(finished) == n_beams:
            worst = finished[-1][0]
            hope = [i for i, s in enumerate(kept) if s / max_tokens**alpha > worst]
            kept, parents, new = ([x[i] for i in hope] for x in (kept, parents, new))
        if not new:
            break
        logits = answers.grow(parents, new)
        scores = torch.stack(kept)
        texts = [[*texts[b], t] for b, t in zip(parents, new)]
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
