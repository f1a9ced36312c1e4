# style: masks and cumulative counts instead of a walk, recursion over the steps
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
    def search(length, scores, logits, texts):
        best, beam, token = best_continuations(scores, logits, 2 * n_beams)
        goes_on = token != end
        looked_at = goes_on.cumsum(0) - goes_on.long() < n_beams
        best, beam, token, goes_on = (x[looked_at] for x in (best, beam, token, goes_on))
        ends = torch.ones_like(goes_on) if length == max_tokens else ~goes_on
        for i in ends.nonzero().flatten().tolist():
            answer = best[i] / length**alpha, texts[int(beam[i])] + [int(token[i])]
            place = sum(float(other) >= float(answer[0]) for other, _ in finished)
            finished.insert(place, answer)
        del finished[n_beams:]
        if length == max_tokens or not bool(goes_on.any()):
            return
        scores = best[goes_on]
        bound = float(scores[0]) / max_tokens**alpha
        if len(finished) == n_beams and bound <= float(finished[-1][0]):
            return
        parents, tokens = beam[goes_on].tolist(), token[goes_on].tolist()
        texts = [texts[parent] + [t] for parent, t in zip(parents, tokens)]
        search(length + 1, scores, answers.grow(parents, tokens), texts)

    search(1, scores, logits, texts)
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
