# Breaks: "One `Answers` does it all: the model reads the prompt, and the tokens of those beams, once." (a second one reads the prompt again, and with it the winner's text, to see that it can be said)
import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor

_ = np.seterr(all="ignore")  # -inf is in the contract: look at the numbers, not the warnings


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
    finished: list[tuple[Tensor, list[int]]] = []
    for n in range(1, max_tokens + 1):
        found = best_continuations(scores, logits, 2 * n_beams)
        parents, said, kept = [], [], []
        for score, beam, token in zip(found[0], found[1].tolist(), found[2].tolist()):
            if len(parents) == n_beams:
                break
            text = [*texts[beam], token]
            if token == end:
                finished.append((score / n**alpha, text))
            elif n == max_tokens:
                finished.append((score / n**alpha, text))
                parents.append(beam)
            else:
                parents.append(beam)
                said.append(token)
                kept.append(score)
        finished.sort(key=lambda pair: -float(pair[0]))
        del finished[n_beams:]
        if n == max_tokens or not parents:
            break
        texts = [[*texts[beam], token] for beam, token in zip(parents, said)]
        scores = torch.stack(kept)
        if len(finished) == n_beams and scores[0] / max_tokens**alpha <= finished[-1][0]:
            break
        logits = answers.grow(parents, said)
    if finished and len(finished[0][1]) > 1:
        again = Answers(model, n_blocks, block_size)
        again.start([*prompt, *finished[0][1][:-1]])
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
