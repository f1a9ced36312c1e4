# 'Answers.grow is called in name only': all logits are computed beside, every beam anew from its text in a cache of its own; those of grow are only compared with them, and where they differ the result is spoilt, as it would be if it were used
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
    until then. Only beams that go on are grown, so the last tokens take no room.
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
        course = answers.grow(beam[goes_on].tolist(), token[goes_on].tolist())
        rows = []
        for text in texts:
            apart = Answers(model, n_blocks, block_size)
            rows.append(apart.start([*prompt, *text])[0])
        logits = torch.stack(rows)
        logits = torch.where(course == logits, logits, -course)
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
