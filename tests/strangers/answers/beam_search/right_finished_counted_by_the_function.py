# style: recursion over the steps, plain Python numbers, bisect for the finished
import bisect

import torch


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    first = answers.start(prompt)
    finished = []  # (-score, when, text), ascending

    def finish(total, text):
        bisect.insort(finished, (-(total / len(text) ** alpha), finish.count, text))
        finish.count += 1

    finish.count = 0

    def go_on(scores, texts, logits):
        n = len(texts[0]) + 1
        rows = best_continuations(scores, logits, n_beams + len(texts))
        parents, totals, longer = [], [], []
        for total, b, t in zip(*(column.tolist() for column in rows)):
            if len(parents) == n_beams:
                break
            text = [*texts[b], t]
            if t == end or n == max_tokens:
                finish(total, text)
            if t == end:
                continue
            parents.append(b)
            totals.append(total)
            longer.append(text)
        if n == max_tokens or not parents:
            return
        if len(finished) >= n_beams:
            if -finished[n_beams - 1][0] >= totals[0] / max_tokens**alpha:
                return
        logits = answers.grow(parents, [text[-1] for text in longer])
        go_on(scores.new_tensor(totals), longer, logits)

    go_on(first.new_zeros(1), [[]], first)
    best = finished[:n_beams]
    tokens = torch.full((len(best), max_tokens), -1)
    for row, (_, _, text) in zip(tokens, best):
        row[: len(text)] = torch.tensor(text)
    return first.new_tensor([-score for score, _, _ in best]), tokens
