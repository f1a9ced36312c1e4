# itertools.accumulate over all positions, then sums of its values.
from itertools import accumulate


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    upto = list(accumulate(8 * width * width + 4 * t * width for t in range(1, prompt + new)))
    return sum(upto[prompt - 1 :]), upto[-1]
