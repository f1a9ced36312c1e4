# a finished answer takes a beam's place for good, as in the first sequence models: the search gets narrower; wrong in many-end
import torch


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores, texts, done, width = torch.zeros(1), [[]], [], n_beams
    for n in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, width)
        on = []
        for i in range(len(score)):
            text = texts[beam[i]] + [int(token[i])]
            if token[i] == end or n == max_tokens:
                done.append((score[i] / n**alpha, text))
                width -= 1
            else:
                on.append(i)
        if not on or width == 0:
            break
        texts = [texts[beam[i]] + [int(token[i])] for i in on]
        scores = score[on]
        logits = answers.grow(beam[on].tolist(), token[on].tolist())
    done = sorted(done, key=lambda d: -d[0])[:n_beams]
    tokens = torch.full((len(done), max_tokens), -1)
    for i, (_, text) in enumerate(done):
        tokens[i, : len(text)] = torch.tensor(text)
    return torch.stack([s for s, _ in done]), tokens
