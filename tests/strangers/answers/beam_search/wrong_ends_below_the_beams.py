# Ported from Hugging Face, where an end counts only if its rank is below n_beams: an ending continuation that is number n_beams + 1 of all, with fewer than n_beams beams before it, is lost; shows when two or more of the likeliest end in one step.
from typing import Any

import torch
from torch import Tensor


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
    scores = logits.new_zeros(1)
    texts: list[list[int]] = [[]]
    finished: list[tuple[float, list[int]]] = []
    for n in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, 2 * n_beams)
        candidates = zip(score.tolist(), beam.tolist(), token.tolist())
        beams, done = [], []
        for rank, (s, b, t) in enumerate(candidates):
            if len(beams) == n_beams:
                break
            if t == end and rank < n_beams:
                done.append((s, texts[b] + [t]))
            elif t != end and len(beams) < n_beams:
                beams.append((s, b, t))
                if n == max_tokens:
                    done.append((s, texts[b] + [t]))
        power = float(n) ** alpha
        finished += [(float(torch.tensor(s / power)), text) for s, text in done]
        finished.sort(key=lambda item: item[0], reverse=True)  # stable
        if not beams or n == max_tokens:
            break
        texts = [texts[b] + [t] for _, b, t in beams]
        scores = scores.new_tensor([s for s, _, _ in beams])
        if len(finished) >= n_beams and float(scores[0]) / max_tokens**alpha <= finished[n_beams - 1][0]:
            break
        logits = answers.grow([b for _, b, _ in beams], [t for _, _, t in beams])
    finished = finished[:n_beams]
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([score for score, _ in finished]), tokens
