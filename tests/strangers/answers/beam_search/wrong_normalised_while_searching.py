# beams are ranked by their normalised scores, which go on as their scores; wrong in plain
import torch


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    live, done = [(torch.zeros(()), [])], []
    for n in range(1, max_tokens + 1):
        score, beam, token = best_continuations(torch.stack([s for s, _ in live]), logits, 2 * n_beams)
        score = score / n**alpha
        new, parents = [], []
        for s, b, t in zip(score, beam.tolist(), token.tolist()):
            if len(new) == n_beams:
                break
            if t == end or n == max_tokens:
                done.append((s, live[b][1] + [t]))
            else:
                new.append((s, live[b][1] + [t]))
                parents.append(b)
        done = sorted(done, key=lambda d: -d[0])[:n_beams]
        if not new:
            break
        live = new
        logits = answers.grow(parents, [text[-1] for _, text in live])
    tokens = torch.full((len(done), max_tokens), -1)
    for i, (_, text) in enumerate(done):
        tokens[i, : len(text)] = torch.tensor(text)
    return torch.stack([s for s, _ in done]), tokens
