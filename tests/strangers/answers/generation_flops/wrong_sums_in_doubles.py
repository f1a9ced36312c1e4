# Wrong: sums float64 arrays and turns the result into int at the end, so that results above 2^53 are rounded, where the contract wants exact numbers below 2^63 (width 4096 with some thousand tokens).
import numpy as np


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    t = np.arange(1, prompt + new, dtype=np.float64)
    per_token = 8.0 * width**2 + 4.0 * t * width
    per_pass = np.cumsum(per_token)
    return int(per_pass[prompt - 1 :].sum()), int(per_pass[-1])
