# finished answers are inserted by bisect at their place; a helper splits the continuations, and a while loop ends at a bound
import bisect


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts = [[]]  # theirs, without the prompt
    finished = []  # scores and texts, the best first

    def finish(total, text):
        score = total / len(text) ** alpha
        place = bisect.bisect_right([-other for other, _ in finished], -score)
        finished.insert(place, (score, text))

    def split():
        ending, living = [], []
        options = zip(*(part.tolist() for part in best_continuations(scores, logits, 2 * n_beams)))
        for total, parent, token in options:
            if len(living) == n_beams:
                break
            (ending if token == end else living).append((total, parent, texts[parent] + [token]))
            yield_order.append((total, texts[parent] + [token], token == end))
        return living

    length = 0
    while length < max_tokens:
        length += 1
        yield_order = []
        living = split()
        for total, text, ends in yield_order:
            if ends or length == max_tokens:
                finish(total, text)
        if not living or length == max_tokens:
            break
        if len(finished) >= n_beams:
            if living[0][0] / max_tokens**alpha <= finished[n_beams - 1][0]:
                break
        logits = answers.grow([parent for _, parent, _ in living], [text[-1] for _, _, text in living])
        scores = scores.new_tensor([total for total, _, _ in living])
        texts = [text for _, _, text in living]
    finished = finished[:n_beams]
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
