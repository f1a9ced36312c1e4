# Wrong: in a pass over n tokens every token costs c(n), as without a mask. Shows for passes of more than one token.


def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def c(t):
        return 8 * width**2 + 4 * t * width

    again = sum(n * c(n) for n in range(prompt, prompt + new))
    once = prompt * c(prompt) + sum(c(t) for t in range(prompt + 1, prompt + new))
    return again, once
