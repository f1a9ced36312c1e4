# own candidates from a generator, a while loop, tuples kept by insertion
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
    def candidates(scores, logits):
        logp = torch.log_softmax(logits, -1)
        logp = torch.where(torch.isnan(logp), -torch.inf, logp)
        total = (scores[:, None] + logp).reshape(-1)
        value, place = torch.sort(total, descending=True, stable=True)
        for s, i in zip(value[: 2 * n_beams], place[: 2 * n_beams].tolist()):
            if s == -torch.inf:
                return
            yield s, i // logits.shape[1], i % logits.shape[1]


    n, live = 0, True
    while live and n < max_tokens:
        n += 1
        kept = []
        for s, b, t in candidates(scores, logits):
            if t == end or n == max_tokens:
                value = s / n**alpha
                at = sum(bool(other >= value) for other, _ in finished)
                finished.insert(at, (value, texts[b] + [t]))
            else:
                kept += [(s, b, t)]
            if len(kept) == n_beams:
                break
        finished[n_beams:] = []
        full = len(finished) == n_beams
        live = bool(kept) and not (full and kept[0][0] / max_tokens**alpha <= finished[-1][0])
        if live and n < max_tokens:
            scores = torch.stack([s for s, _, _ in kept])
            texts = [texts[b] + [t] for _, b, t in kept]
            logits = answers.grow([b for _, b, _ in kept], [t for _, _, t in kept])
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return torch.tensor([float(score) for score, _ in finished]), tokens
