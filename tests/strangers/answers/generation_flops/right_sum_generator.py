# style: generator expressions, lru-free, itertools.accumulate
from itertools import accumulate, islice


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def token(t: int) -> int:
        return 8 * width * width + 4 * t * width

    last = prompt + new - 1
    passes = accumulate(token(t) for t in range(1, last + 1))  # the cost of a pass over t tokens
    again = 0
    cached = 0
    for cost in islice(passes, prompt - 1, None):
        again += cost
        cached = cost
    return again, cached
