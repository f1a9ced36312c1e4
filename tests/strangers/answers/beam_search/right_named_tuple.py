# Right: every continuation as Python numbers, and a collections.namedtuple of the results.
from collections import namedtuple
from itertools import takewhile

Found = namedtuple("Found", "scores tokens")


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
    """Texts are read back from the cache of the answers, so none are kept beside the beams."""
    answers = Answers(model, n_blocks, block_size)
    logits, log_p = answers.start(prompt), [0.0]
    finished = []
    for n in range(1, max_tokens + 1):
        # every continuation, as Python numbers
        rows = torch.log_softmax(logits.double(), dim=1).tolist()
        every = [
            (log_p[b] + p, b, v)
            for b, row in enumerate(rows)
            for v, p in enumerate(row)
            if p > float("-inf")  # also false for NaN, of a row in which nothing may follow
        ]
        every.sort(key=lambda c: c[0], reverse=True)
        before = [answers.tokens(b).tolist()[len(prompt) :] for b in range(len(log_p))]
        beams = []
        for s, b, v in takewhile(lambda _: len(beams) < n_beams, every):
            if v != end:
                beams.append((s, b, v))
            if v == end or n == max_tokens:
                finished.append((s / n**alpha, before[b] + [v]))
        finished = sorted(finished, key=lambda f: f[0], reverse=True)[:n_beams]
        if n == max_tokens or not beams:
            break
        if len(finished) == n_beams and beams[0][0] / max_tokens**alpha <= finished[-1][0]:
            break
        log_p = [s for s, _, _ in beams]
        logits = answers.grow([b for _, b, _ in beams], [v for _, _, v in beams])
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return Found(torch.tensor([s for s, _ in finished], dtype=torch.float32), tokens)
