# NamedTuples, bisect.insort with a key, and a for loop with breaks
from bisect import insort
from typing import NamedTuple


class _Beam(NamedTuple):
    score: float
    parent: int
    text: list[int]


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
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[float, list[int]]] = []  # scores and texts, the best first

    def finish(score: float, text: list[int]) -> None:
        entry = (score / len(text) ** alpha, text)
        insort(finished, entry, key=lambda answer: -answer[0])  # behind those that are equal
        del finished[n_beams:]

    for length in range(1, max_tokens + 1):
        found = best_continuations(scores, logits, n_beams + len(texts))
        beams: list[_Beam] = []
        for score, parent, token in zip(*(column.tolist() for column in found)):
            text = [*texts[parent], token]
            if token == end:
                finish(score, text)
                continue
            beams.append(_Beam(score, parent, text))
            if length == max_tokens:
                finish(score, text)
            if len(beams) == n_beams:
                break
        if length == max_tokens or not beams:
            break
        if len(finished) == n_beams and beams[0].score / max_tokens**alpha <= finished[-1][0]:
            break
        texts = [beam.text for beam in beams]
        scores = scores.new_tensor([beam.score for beam in beams])
        logits = answers.grow([beam.parent for beam in beams], [text[-1] for text in texts])

    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
