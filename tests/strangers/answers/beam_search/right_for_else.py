# style: lists of tuples, sort with key
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
    """The best answers to a prompt that a search with n_beams beams finds.

    model, n_blocks, block_size: as in `Answers`. end: the token that ends an answer and is its
    last. max_tokens: an answer of so many tokens ends too: what would be new beams then is
    finished as it comes among the continuations. alpha >= 0.
    At each step the continuations of all beams are gone through, the likeliest first. One whose
    token is `end` is finished. Of the others, the first n_beams are the new beams, and what
    comes after the last of these does not count. An answer's score is its log-probability
    over its number of tokens to the power alpha.
    The search is over at max_tokens tokens, when no beam is left, or when there are n_beams
    finished answers and no beam can become better than the worst of the best n_beams of them,
    even if all its further tokens are certain. Torch runs at most 1000 operations for each step
    until then. Only beams that go on are grown, so the last tokens take no room. One `Answers`
    does it all: the model reads the prompt, and the tokens of those beams, once.
    Returns scores (m,) float32, the best one first, and tokens (m, max_tokens) int64, each row
    an answer followed by -1. Of those that are equal as computed, in float32 or wider, the one
    that was finished first comes first. m is n_beams, or fewer if fewer answers end, and 0 if
    no token may follow the prompt.
    It stays within torch and Python. It calls Answers and Answers.grow. Arguments stay as
    they are, and results are new memory.
    """
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    for length in range(1, max_tokens + 1):
        found = best_continuations(scores, logits, 2 * n_beams)  # each beam ends once at most
        grown: list[tuple[Tensor, int, int]] = []
        for score, parent, token in zip(*found):
            if len(grown) == n_beams:
                break
            text = texts[int(parent)] + [int(token)]
            if int(token) != end:
                grown.append((score, int(parent), int(token)))
            if int(token) == end or length == max_tokens:
                finished.append((score / length**alpha, text))
        finished.sort(key=lambda item: float(item[0]), reverse=True)  # stable, reversed too
        del finished[n_beams:]
        if not grown or length == max_tokens:
            break
        scores = torch.stack([score for score, _, _ in grown])
        # scores are negative: a beam is best with as many certain tokens as there may be
        if len(finished) == n_beams and float(scores.max()) / max_tokens**alpha <= float(finished[-1][0]):
            break
        texts = [texts[parent] + [token] for _, parent, token in grown]
        logits = answers.grow([parent for _, parent, _ in grown], [token for _, _, token in grown])
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
