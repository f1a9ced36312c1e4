# right: one step is a function of the beams; finished answers kept sorted by insertion behind equal ones; recursion-free, while loop over a list of beams
from bisect import insort_right


def _step(scores, logits, texts, n_beams, end, last):
    """What ends and what goes on, in the order of likelihood: (row, beam, token, text) each."""
    score, beam, token = best_continuations(scores, logits, 2 * n_beams)
    over, on, beams = [], [], 0
    for row, (b, t) in enumerate(zip(beam.tolist(), token.tolist())):
        beams += t != end
        (over if last or t == end else on).append((row, b, t, [*texts[b], t]))
        if beams == n_beams:
            break
    return score, over, on


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)
    texts = [[]]
    finished = []  # (minus the score, text), the best first
    length = 0
    while texts and length < max_tokens:
        length += 1
        score, over, on = _step(scores, logits, texts, n_beams, end, length == max_tokens)
        means = (score / length**alpha).tolist()
        for row, _, _, text in over:
            insort_right(finished, (-means[row], text), key=lambda answer: answer[0])
        del finished[n_beams:]
        texts = [text for *_, text in on]
        if not texts:
            break
        scores = score[[row for row, *_ in on]]
        best_possible = (scores[0] / max_tokens**alpha).item()
        if len(finished) == n_beams and best_possible <= -finished[-1][0]:
            break
        logits = answers.grow([b for _, b, _, _ in on], [t for _, _, t, _ in on])
    tokens = torch.tensor(
        [text + [-1] * (max_tokens - len(text)) for _, text in finished], dtype=torch.int64
    ).reshape(len(finished), max_tokens)
    return scores.new_tensor([-mean for mean, _ in finished]), tokens
