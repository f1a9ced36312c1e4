# All continuations are asked for, and gone through until the last new beam.
import torch
from torch import Tensor


def beam_search(model, prompt, n_beams, end, max_tokens, alpha, n_blocks, block_size):
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)
    texts: list[list[int]] = [[]]
    finished: list[tuple[float, list[int]]] = []
    for length in range(1, max_tokens + 1):
        total, beams, tokens = best_continuations(scores, logits, len(texts) * logits.shape[1])
        parents, said, kept, grown = [], [], [], []
        for score, beam, token in zip(total, beams.tolist(), tokens.tolist()):
            text = [*texts[beam], token]
            if token == end or length == max_tokens:
                finished.append((score / length**alpha, text))
                if length == max_tokens and token != end:
                    kept.append(score)
            else:
                parents.append(beam)
                said.append(token)
                kept.append(score)
                grown.append(text)
            if len(kept) == n_beams:
                break
        order = sorted(range(len(finished)), key=lambda i: -float(finished[i][0]))
        finished = [finished[i] for i in order[:n_beams]]
        if not parents:
            break
        best = max(float(s) for s in kept)
        if len(finished) == n_beams and best / max_tokens**alpha <= float(finished[-1][0]):
            break
        scores, texts = torch.stack(kept), grown
        logits = answers.grow(parents, said)
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return logits.new_tensor([float(score) for score, _ in finished]), tokens
