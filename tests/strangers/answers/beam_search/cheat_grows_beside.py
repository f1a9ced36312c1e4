# calls ('It calls Answers.grow'): grows the answers at every step, and takes the logits from copies in a cache of its own
import torch


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    answers.start(prompt)
    live, done = [(torch.zeros(()), [])], []
    for n in range(1, max_tokens + 1):
        cache = answers.model.new_cache(10_000, block_size)
        logits = answers.model.step(cache, list(range(len(live))), [prompt + text for _, text in live])
        score, beam, token = best_continuations(torch.stack([s for s, _ in live]), logits, 2 * n_beams)
        new, others, parents = [], 0, []
        for s, b, t in zip(score, beam.tolist(), token.tolist()):
            if others == n_beams:
                break
            others += t != end
            text = live[b][1] + [t]
            parents += [b] if t != end and n < max_tokens else []
            (done if t == end or n == max_tokens else new).append((s / n**alpha if t == end or n == max_tokens else s, text))
        done = sorted(done, key=lambda d: -d[0])[:n_beams]
        if not new or (len(done) == n_beams and new[0][0] / max_tokens**alpha <= done[-1][0]):
            break
        live = new
        answers.grow(parents, [text[-1] for _, text in live])
    tokens = torch.full((len(done), max_tokens), -1)
    for i, (_, text) in enumerate(done):
        tokens[i, : len(text)] = torch.tensor(text)
    return torch.stack([s for s, _ in done]), tokens
