# one continuation after the other, with plain lists and tensors of one number
import torch


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(list(prompt))
    live, done = [(logits.new_zeros(()), [])], []
    for n in range(1, max_tokens + 1):
        score, beam, token = best_continuations(torch.stack([s for s, _ in live]), logits, 2 * n_beams)
        new, parents, others = [], [], 0
        for s, b, t in zip(score, beam.tolist(), token.tolist()):
            if others == n_beams:
                break
            others += t != end
            text = live[b][1] + [t]
            if t == end or n == max_tokens:
                done.append((s / n**alpha, text))
            else:
                new.append((s, text))
                parents.append(b)
        done.sort(key=lambda d: d[0], reverse=True)
        done = done[:n_beams]
        if not new or (len(done) == n_beams and done[-1][0] >= new[0][0] / max_tokens**alpha):
            break
        live = new
        logits = answers.grow(parents, [text[-1] for _, text in live])
    tokens = torch.full((len(done), max_tokens), -1)
    for i, (_, text) in enumerate(done):
        tokens[i, : len(text)] = torch.tensor(text)
    return torch.tensor([float(s) for s, _ in done]), tokens
