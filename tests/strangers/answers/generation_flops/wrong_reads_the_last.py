# The last token is read too.
def generation_flops(prompt: int, new: int, width: int) -> tuple[int, int]:
    def first(n):
        return 8 * n * width**2 + 2 * n * (n + 1) * width

    return sum(first(n) for n in range(prompt, prompt + new + 1)), first(prompt + new)
