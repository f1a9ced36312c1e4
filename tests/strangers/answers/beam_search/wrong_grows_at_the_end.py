# wrong: the new beams are written into the cache before the search looks whether it is over: the last tokens take room
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
    """The best answers to a prompt that a search with n_beams beams finds.

    model, n_blocks, block_size: as in `Answers`. end: the token that ends an answer and is its
    last. max_tokens: an answer of so many tokens ends too: what would be new beams then is
    finished in their place. alpha >= 0.
    At each step the continuations of all beams are gone through, the likeliest first. One whose
    token is `end` is finished. Of the others, the first n_beams are the new beams, and what
    comes after the last of these is not looked at. An answer's score is its log-probability
    over its number of tokens to the power alpha.
    The search is over at max_tokens tokens, when no beam is left, or when there are n_beams
    finished answers and no beam can become better than the worst of the best n_beams of them,
    even if all its further tokens are certain. Torch runs at most 1000 operations for each step
    until then. Only beams that go on are grown, so the last tokens take no room. One `Answers`
    does it all: the model reads the prompt, and the tokens of those beams, once.
    Returns scores (m,) float32, the best one first, and tokens (m, max_tokens) int64, each row
    an answer followed by -1. Of equal ones the one that was finished first comes first. m is
    n_beams, or fewer if fewer answers end, and 0 if no token may follow the prompt.
    It stays within torch and Python. It calls Answers and Answers.grow. Arguments stay as
    they are, and results are new memory.
    """
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    for length in range(1, max_tokens + 1):
        best, beam, token = best_continuations(scores, logits, 2 * n_beams)
        beams = []  # score, parent, token
        for s, parent, t in zip(best, beam.tolist(), token.tolist()):
            if len(beams) == n_beams:
                break
            text = texts[parent] + [t]
            if t == end or length == max_tokens:
                finished.append((s / length**alpha, text))
            if t != end:
                beams.append((s, parent, t))
        finished.sort(key=lambda answer: -float(answer[0]))
        finished = finished[:n_beams]
        if not beams:
            break
        grown = answers.grow([parent for _, parent, _ in beams], [t for _, _, t in beams])
        if length == max_tokens:
            break
        if len(finished) == n_beams:
            if float(beams[0][0]) / max_tokens**alpha <= float(finished[-1][0]):
                break
        texts = [texts[parent] + [t] for _, parent, t in beams]
        scores = torch.stack([s for s, _, _ in beams])
        logits = grown
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
