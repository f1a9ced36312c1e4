# A function for one step that gives the next state or None; the answers are kept in order by insertion, the bound is a function.
def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    from bisect import bisect_right

    answers = Answers(model, n_blocks, block_size)
    found = []  # (minus score, text), ascending; equal ones in the order in which they came

    def finish(log_p, text):
        minus = -(log_p / len(text) ** alpha)
        found.insert(bisect_right([m for m, _ in found], minus), (minus, text))
        del found[n_beams:]

    def hopeless(log_p):
        return len(found) == n_beams and -(log_p / max_tokens**alpha) >= found[-1][0]

    def one_step(texts, scores, logits):
        value, parent, token = best_continuations(scores, logits, 2 * n_beams)
        rows = zip(value.tolist(), parent.tolist(), token.tolist())
        going = []
        while len(going) < n_beams and (row := next(rows, None)) is not None:
            log_p, b, t = row
            text = [*texts[b], t]
            if t == end:
                finish(log_p, text)
            else:
                going.append((log_p, b, t))
                if len(text) == max_tokens:
                    finish(log_p, text)
        if not going or len(texts[0]) + 1 == max_tokens or hopeless(going[0][0]):
            return None
        log_ps, parents, tokens = (list(column) for column in zip(*going))
        longer = [[*texts[b], t] for b, t in zip(parents, tokens)]
        return longer, scores.new_tensor(log_ps), answers.grow(parents, tokens)

    logits = answers.start(prompt)
    state = [[]], logits.new_zeros(1), logits
    while state is not None:
        state = one_step(*state)
    out = torch.full((len(found), max_tokens), -1)
    for row, (_, text) in zip(out, found):
        row[: len(text)] = torch.tensor(text)
    return logits.new_tensor([-minus for minus, _ in found]), out
