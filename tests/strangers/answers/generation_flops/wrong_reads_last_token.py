# Reads the last generated token as well (new + 1 passes without a cache, prompt + new tokens with one): too large for every input.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    cost = lambda t: 8 * width * width + 4 * t * width
    once = sum(cost(t) for t in range(1, prompt + new + 1))
    again = 0
    for n in range(prompt, prompt + new + 1):
        again += n * 8 * width * width + 4 * width * n * (n + 1) // 2
    return again, once
