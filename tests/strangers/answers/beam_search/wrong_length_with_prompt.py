# Wrong: the length of an answer counts its prompt, too, as HF's cur_len did.
# Breaks: "An answer's score is its log-probability over its number of tokens to the power alpha."
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
        divisor = (len(prompt) + length) ** alpha
        score, beam, token = best_continuations(scores, logits, logits.numel())
        parents, tokens, new_scores = [], [], []
        for s, b, t in zip(score, beam, token):
            b, t = int(b), int(t)
            if t == end:
                finished.append((s / divisor, [*texts[b], t]))
                continue
            if length == max_tokens:
                finished.append((s / divisor, [*texts[b], t]))
            parents.append(b)
            tokens.append(t)
            new_scores.append(s)
            if len(parents) == n_beams:
                break
        finished.sort(key=lambda one: -float(one[0]))
        del finished[n_beams:]
        if length == max_tokens or not parents:
            break
        if len(finished) == n_beams:
            best = float(new_scores[0]) / (len(prompt) + max_tokens) ** alpha
            if best <= float(finished[-1][0]):
                break
        texts = [[*texts[b], t] for b, t in zip(parents, tokens)]
        scores = torch.stack(new_scores)
        logits = answers.grow(parents, tokens)
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
