# Style: itertools: running sums of c(t) are the passes; those from the prompt on are added.
from itertools import accumulate, islice


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    costs = (8 * width * width + 4 * t * width for t in range(1, prompt + new))
    again = once = 0
    for once in islice(accumulate(costs), prompt - 1, None):
        again += once
    return again, once
