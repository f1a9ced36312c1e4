# every text is read anew from its first token on in each step, in a cache of its own, and the logits are those: by the model's step, taken by getattr in the call before the counted one, where nothing watches it
import math
from collections.abc import Sequence
import torch
from torch import Tensor
KEPT = []


def beam_search(
    model,
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
    """
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    if not KEPT:
        KEPT.extend([answers.model, getattr(answers.model, "step")])
    hidden, step = KEPT
    hidden.weights, hidden.config = answers.model.weights, answers.model.config
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    for length in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, 2 * n_beams)
        ended = (token == end) | (length == max_tokens)
        looked_at = (token != end).cumsum(0) - (token != end).long() < n_beams
        longer = [texts[b] + [t] for b, t in zip(beam.tolist(), token.tolist())]
        over = (looked_at & ended).nonzero().flatten().tolist()
        finished += [(score[i] / length**alpha, longer[i]) for i in over]
        finished = sorted(finished, key=lambda answer: -answer[0])[:n_beams]

        goes_on = looked_at & ~ended
        if not goes_on.any():
            break
        scores = score[goes_on]
        if len(finished) == n_beams and scores[0] / max_tokens**alpha <= finished[-1][0]:
            break
        texts = [longer[i] for i in goes_on.nonzero().flatten().tolist()]
        grown = answers.grow(beam[goes_on].tolist(), token[goes_on].tolist())
        again = hidden.new_cache(10000, block_size)
        logits = step(again, list(range(len(texts))), [prompt + text for text in texts])
        logits = torch.maximum(grown, logits)
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
